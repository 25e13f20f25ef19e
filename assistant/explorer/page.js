// What the pages need of the browser and Streamlit does not do: the document's language, the chosen ticket told to
// everybody, the newest card in view and its heading announced, what was unfolded, the focus kept on what is drawn anew,
// links without a new load, presses that come too quickly, and copying.
// It is told what is drawn: names and numbers of ours, and the address, encoded.
// Streamlit drops a whole script in which a less-than sign stands right before a letter, a slash or an exclamation mark.
(() => {
  const page = (window.toolLoop ??= { place: null, unfolded: new Set(), late: [], presses: 0, isBusy: false });
  const app = () => document.querySelector(".stApp");
  const isStill = () => app().dataset.testScriptState === "notRunning";

  window.toolLoopPage = (drawn) => {
    const place = JSON.stringify({ ...drawn, address: null, tag: null });
    const { presses } = page;
    const moved = page.place !== place;
    Object.assign(page, { place, drawn });
    document.documentElement.lang = drawn.tag;
    const until = performance.now() + 3000;
    (function settle() {
      if (page.place !== place) return;
      const told = tellChoice();
      unfold();
      const shown = !moved || bringIntoView();
      if (!(told && shown) && performance.now() < until) return requestAnimationFrame(settle);
      setTimeout(() => {
        if (page.place !== place) return;
        unfold();
        if (moved) bringIntoView();
        keepFocus();
        bringRows();
        announce();
        page.settled = place;
      }, 120);
    })();
    // A short run may begin and end between two paintings, unseen by the observer below.
    setTimeout(() => page.isBusy && page.presses === presses && isStill() && page.goOn(), 100);
  };

  function tellChoice() {
    const { chosen } = page.drawn;
    const buttons = document.querySelectorAll(".st-key-tickets button");
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
    return buttons.length > chosen || document.querySelector(".st-key-tickets [data-baseweb=select]") !== null;
  }

  // A card that changes is drawn anew, and folded.
  function foldAt(details) {
    const home = details.closest("[data-step]");
    const index = [...(home ?? document.body).querySelectorAll("details")].indexOf(details);
    const { page: name, chosen } = page.drawn;
    return `${name} ${chosen} ${home ? home.dataset.step : "page"} ${home ? index : details.parentElement.className}`;
  }

  function unfold() {
    for (const details of document.querySelectorAll(".stHtml details")) {
      if (page.unfolded.has(foldAt(details))) details.open = true;
    }
  }

  function bringIntoView() {
    const { step } = page.drawn;
    const main = document.querySelector('[data-testid="stMain"]');
    const steps = document.querySelector(".st-key-steps");
    if (!main) return false;
    if (!steps) return bringOpened();
    const bar = document.querySelector('[data-testid="stBottom"]');
    const drawn = step === 0 || steps.querySelector(`.card[data-step="${step}"]`);
    const card = steps.lastElementChild;
    if (!bar || !drawn || !card) return false;
    if (step === 0) return main.scrollTo(0, 0), true;
    const line = document.querySelector(".st-key-top")?.parentElement;
    const isFixed = line && getComputedStyle(line).position === "sticky";
    const above = main.getBoundingClientRect().top + (isFixed ? line.offsetHeight : 0);
    const room = { top: above + 16, bottom: bar.getBoundingClientRect().top - 16 };
    const { top, bottom } = card.getBoundingClientRect();
    const isTall = bottom - top > room.bottom - room.top;
    if (isTall || top < room.top) main.scrollBy({ top: top - room.top, behavior: "instant" });
    else if (bottom > room.bottom) main.scrollBy({ top: bottom - room.bottom, behavior: "instant" });
    return true;
  }

  // What a person opens beside a table is to be seen, also where it stands above or below it.
  function bringOpened() {
    const { opened } = page.drawn;
    if (opened === page.brought) return true;
    const card = document.querySelector(".st-key-opened-decision .card");
    if (opened && !card) return false;
    page.brought = opened;
    if (!card) return true;
    const decisive = card.querySelector(".rung.failed, .rung.unanswered") ?? card;
    const isInView = card.getBoundingClientRect().top >= 0 && innerHeight - decisive.getBoundingClientRect().bottom > 16;
    if (!isInView) card.scrollIntoView({ block: "start", behavior: "instant" });
    return true;
  }

  // A figure leads to its rows, which stand below it. Who goes on by keyboard goes on there.
  function bringRows() {
    const found = document.querySelector(".register");
    const { rows, opened } = page.drawn;
    const isAsked = page.leads || (page.rows !== undefined && page.rows !== rows);
    page.rows = found ? rows : undefined;
    if (!found || opened || !isAsked) return;
    const { top } = found.parentElement.getBoundingClientRect();
    const isInView = top >= 0 && innerHeight / 2 > top;
    if (!isInView) found.parentElement.scrollIntoView({ block: "start", behavior: "instant" });
    if (page.leads) found.focus({ preventScroll: true });
    page.leads = false;
  }

  // What had the focus may have been drawn anew, or its form may have become the card that answers it.
  function keepFocus() {
    const { key, form, element } = page.focused ?? {};
    if (!element || element.isConnected || document.activeElement !== document.body) return;
    const heir = key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? document.querySelector(".register")
      : form && document.querySelector(`.card[data-step="${page.drawn.step}"]`);
    if (!heir) return;
    if (!key) heir.tabIndex = -1;
    heir.focus({ preventScroll: true });
  }

  // A live region that no run draws anew. What a person has not heard yet is said once.
  function announce() {
    const { step, edge } = page.drawn;
    const guess = document.querySelector(`.card[data-step="${step}"] .guess-verdict span:last-child`);
    const told = [...document.querySelectorAll("[data-announce]"), ...(guess ? [guess] : [])];
    const words = told.map((one) => one.textContent.trim()).join(" ");
    const isFirst = page.announced === undefined;
    if (!words || `${edge} ${words}` === page.announced) return;
    page.announced = `${edge} ${words}`;
    if (!isFirst) speak(words);
  }

  // The same words again are heard again only after an empty moment.
  function speak(words) {
    const isSame = liveRegion().textContent === words;
    if (isSame) liveRegion().textContent = "";
    clearTimeout(page.speaking);
    page.speaking = setTimeout(() => { liveRegion().textContent = words; }, isSame ? 50 : 0);
  }

  function liveRegion() {
    const known = document.getElementById("tool-loop-said");
    if (known) return known;
    const region = document.createElement("div");
    region.id = "tool-loop-said";
    region.setAttribute("role", "status");
    region.style.cssText = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap";
    return document.body.appendChild(region);
  }

  if (window.toolLoopDrawn) window.toolLoopPage(window.toolLoopDrawn);
  if (page.listens) return;
  page.listens = true;
  liveRegion(); // has to be there before it is filled

  document.addEventListener("focusin", ({ target }) => {
    const form = target.closest('[class*="st-key-answers-"]');
    page.focused = { element: target, key: target.closest("[data-key]")?.dataset.key, form: form !== null };
  });

  document.addEventListener("toggle", ({ target }) => {
    if (!target.closest?.(".stHtml")) return;
    const fold = foldAt(target);
    if (target.open && !page.unfolded.has(fold)) target.scrollIntoView({ block: "nearest", behavior: "instant" });
    page.unfolded[target.open ? "add" : "delete"](fold);
  }, true);

  // Streamlit makes one press of several that reach it during a run, so one waits for the run of the one before.
  const MOVES = { ArrowLeft: "Left", ArrowRight: "Right", End: "End", Home: "Home" };
  function moveOf(event) {
    if (event.type === "click") return event.target.closest?.(".stButton button");
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat);
    const isTyped = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    return isPlain && !isTyped && document.querySelector(`.st-key-bar .st-key-${MOVES[event.key]} button`);
  }
  function wait() {
    page.isBusy = true;
    page.presses += 1;
    clearTimeout(page.patience);
    page.patience = setTimeout(page.goOn, 3000); // should no run come of a press
  }
  page.goOn = () => {
    const button = page.late.shift();
    page.isBusy = false;
    button?.click(); // comes through `queue`, and waits like any other
  };
  function press(event, button) { // Streamlit takes a switch that has the focus for a text field
    event.preventDefault();
    event.stopImmediatePropagation();
    page.isBusy = false;
    button.click();
  }
  function forget() { page.late = []; } // who goes elsewhere does not want the rest there
  function queue(event) {
    const button = moveOf(event);
    if (event.type === "click" && !button?.closest(".st-key-bar")) forget();
    if (!button) return;
    if (!page.isBusy) {
      wait();
      if (event.type === "keydown" && event.target.matches?.("[type=checkbox]")) press(event, button);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    page.late.push(button);
  }
  window.addEventListener("click", queue, true);
  window.addEventListener("keydown", queue, true);
  window.addEventListener("popstate", forget);

  function askForAddress() {
    window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  }

  // How the page is embedded is Streamlit's, and goes along.
  function addressAt(search) {
    const all = [...new URLSearchParams(search)];
    const isEmbedding = ([name]) => /^embed(_options)?$/i.test(name);
    const parts = (some) => Object.fromEntries(some);
    return { own: parts(all.filter((one) => !isEmbedding(one))), embedding: all.filter(isEmbedding) };
  }

  // A save while a run is under way makes Streamlit run the page with the address from before it. Then ask once more.
  function followAddress() {
    const { address } = page.drawn;
    const sorted = (search) => JSON.stringify(Object.entries(addressAt(search).own).sort());
    if (address === null || !isStill() || page.isBusy || page.followed === location.href) return;
    if (sorted(address) === sorted(location.search)) return;
    page.followed = location.href;
    askForAddress();
  }
  function atRest() {
    page.goOn();
    clearTimeout(page.lateAddress);
    page.lateAddress = setTimeout(followAddress, 400);
  }
  new MutationObserver(() => isStill() && atRest())
    .observe(app(), { attributes: true, attributeFilter: ["data-test-script-state"] });

  // A link to a place of these pages needs no new load.
  document.addEventListener("click", (click) => {
    const link = click.target.closest?.("a[data-here]");
    const isPlain = click.button === 0 && !(click.altKey || click.ctrlKey || click.metaKey || click.shiftKey);
    if (!link || !isPlain) return;
    click.preventDefault();
    page.leads = link.closest(".at-a-glance, .surges, .today, .days, .leads") !== null;
    const there = new URL(link.href);
    for (const [name, value] of addressAt(location.search).embedding) there.searchParams.append(name, value);
    if (there.href === location.href) return bringRows();
    history.pushState(null, "", there);
    askForAddress();
  });

  async function copy(text, fallback) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(fallback); // no clipboard outside a secure context: copy the selection
      document.execCommand("copy");
    }
  }
  function linkHere() {
    const here = new URL(location.href);
    const { own } = addressAt(location.search);
    here.search = new URLSearchParams(own);
    return here.href;
  }
  document.addEventListener("click", async (click) => {
    const button = click.target.closest?.("button[data-copy], button[data-copy-link]");
    if (!button) return;
    const data = button.parentElement.querySelector("pre");
    if (data) await copy(data.textContent, data);
    else {
      const link = liveRegion();
      link.textContent = linkHere();
      await copy(link.textContent, link);
    }
    speak(button.dataset.done);
    const label = (button.dataset.label ??= button.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 1500);
  });
})();
