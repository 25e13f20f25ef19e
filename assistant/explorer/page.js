// What the page needs of the browser and Streamlit does not do: the document's language, the chosen ticket told to
// everybody, the newest card in view, and copying. It gets a language tag and two numbers, nothing from outside.
// Streamlit drops a whole script in which a less-than sign stands right before a letter, a slash or an exclamation mark.
function toolLoopPage(tag, chosen, step) {
  const page = (window.toolLoop ??= { place: null });
  document.documentElement.lang = tag;

  function tellChoice() {
    const buttons = document.querySelectorAll(".st-key-tickets button");
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
    return buttons.length > chosen;
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
  const until = performance.now() + 3000;
  (function settle() {
    if (page.place !== place) return;
    const told = tellChoice();
    const shown = !moved || bringIntoView();
    if (!(told && shown) && performance.now() < until) requestAnimationFrame(settle);
    else if (moved) setTimeout(() => page.place === place && bringIntoView(), 120);
  })();

  if (page.copies) return;
  page.copies = true;
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
