// What the page needs of the browser and Streamlit does not do: the document's language, the chosen ticket told to
// everybody, the newest card in view, what was unfolded, presses that come too quickly, and copying.
// It gets a language tag and three numbers, nothing from outside: which ticket and step are drawn, and which was asked.
// Streamlit drops a whole script in which a less-than sign stands right before a letter, a slash or an exclamation mark.
function toolLoopPage(tag, chosen, step, asked) {
  const page = (window.toolLoop ??= { place: null, unfolded: new Set(), late: [], presses: 0, isBusy: false });
  document.documentElement.lang = tag;

  function tellChoice() {
    const buttons = document.querySelectorAll(".st-key-tickets button");
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
    return buttons.length > chosen;
  }

  // A card that changes is drawn anew, and folded.
  function foldAt(details) {
    const home = details.closest("[data-step]");
    const index = [...(home ?? document.body).querySelectorAll("details")].indexOf(details);
    return `${page.chosen} ${home ? home.dataset.step : "panel"} ${home ? index : details.parentElement.className}`;
  }

  function unfold() {
    for (const details of document.querySelectorAll(".stHtml details")) {
      if (page.unfolded.has(foldAt(details))) details.open = true;
    }
  }

  function bringIntoView() {
    const main = document.querySelector('[data-testid="stMain"]');
    const bar = document.querySelector('[data-testid="stBottom"]');
    const drawn = step === 0 || document.querySelector(`.card[data-step="${step}"]`);
    const card = document.querySelector(".st-key-steps > :last-child");
    if (!main || !bar || !drawn || !card) return false;
    if (step === 0) return main.scrollTo(0, 0), true;
    const room = { top: main.getBoundingClientRect().top + 16, bottom: bar.getBoundingClientRect().top - 16 };
    const { top, bottom } = card.getBoundingClientRect();
    const isTall = bottom - top > room.bottom - room.top;
    if (isTall || top < room.top) main.scrollBy({ top: top - room.top, behavior: "instant" });
    else if (bottom > room.bottom) main.scrollBy({ top: bottom - room.bottom, behavior: "instant" });
    return true;
  }

  const place = `${chosen} ${step}`;
  const moved = page.place !== place;
  page.place = place;
  page.chosen = chosen;
  page.asked = asked;
  const until = performance.now() + 3000;
  (function settle() {
    if (page.place !== place) return;
    const told = tellChoice();
    unfold();
    const shown = !moved || bringIntoView();
    if (!(told && shown) && performance.now() < until) requestAnimationFrame(settle);
    else if (moved) setTimeout(() => page.place === place && (unfold(), bringIntoView()), 120);
  })();

  // A short run may begin and end between two paintings, unseen by the observer below.
  const { presses } = page;
  const app = document.querySelector(".stApp");
  const isStill = () => app.dataset.testScriptState === "notRunning";
  setTimeout(() => page.isBusy && page.presses === presses && isStill() && page.goOn(), 100);

  if (page.listens) return;
  page.listens = true;
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
    const isTyped = event.target.closest?.("input, textarea, select, [contenteditable]");
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
  function forget() { page.late = []; } // who goes elsewhere does not want the rest there
  function queue(event) {
    const button = moveOf(event);
    if (event.type === "click" && !button?.closest(".st-key-bar")) forget();
    if (!button) return;
    if (!page.isBusy) return wait();
    event.preventDefault();
    event.stopImmediatePropagation();
    page.late.push(button);
  }
  window.addEventListener("click", queue, true);
  window.addEventListener("keydown", queue, true);
  window.addEventListener("popstate", forget);
  // A save while a run is under way makes Streamlit run the page with the address from before it. Then ask once more.
  function followAddress() {
    const address = new URLSearchParams(location.search);
    const tickets = [...document.querySelectorAll(".st-key-tickets button code")].map(code => code.textContent);
    const ticket = tickets.indexOf(address.get("ticket"));
    const isAnother = ticket >= 0 && ticket !== page.chosen;
    const isAtAnother = /^[0-9]{1,9}$/.test(address.get("step") ?? "") && Number(address.get("step")) !== page.asked;
    if (!isStill() || page.isBusy || !(isAnother || isAtAnother) || page.followed === location.search) return;
    page.followed = location.search;
    window.dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
  }
  function atRest() {
    page.goOn();
    clearTimeout(page.lateAddress);
    page.lateAddress = setTimeout(followAddress, 400);
  }
  new MutationObserver(() => isStill() && atRest())
    .observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });

  document.addEventListener("click", async (click) => {
    const button = click.target.closest?.("button[data-copy]");
    if (!button) return;
    const data = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(data.textContent);
    } catch {
      getSelection().selectAllChildren(data); // no clipboard outside a secure context: copy the selection
      document.execCommand("copy");
    }
    const label = (button.dataset.label ??= button.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}
