// Builds elements without HTML strings: text of a database only ever becomes text.

const report = globalThis.warpwrightReport;
const { formatUs, formatThousands, formatHalfWidth, formatRatio, formatPercent, formatRate, counted, isNumber } = report;

// element("a", {href, class, onclick, "aria-label": ..}, child, [child, ...], "text")
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const byId = (id) => document.getElementById(id);

// Announces a text to screen readers without moving the focus.
function announce(text) {
  byId("said").textContent = text;
}

const badgeHelp = report.kindWords;

function badge(kind, text = kind) {
  return element("span", { class: `badge ${kind}`, title: badgeHelp[kind] }, text);
}

// "cold, measured"
function boardBadges(board) {
  const temperature = report.temperatureOf(board);
  return badge(board.kind, temperature ? `${board.kind}, ${temperature}` : board.kind);
}

// A fallback for when the clipboard is missing, as on pages that were not fetched securely, or refuses: selected text can still
// be copied by the browser's own command.
function copySelected(text) {
  const box = element("textarea", { class: "hidden", readonly: true, "aria-hidden": "true" });
  box.value = text;
  const before = document.activeElement;
  document.body.append(box);
  box.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    // The browser does not support this: the text is shown instead.
  }
  box.remove();
  before?.focus({ preventScroll: true });
  return copied;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

// Reports a successful copy; if copying fails, it shows the text next to itself, selected.
function copyButton(text, what, name = "Copy") {
  const button = element("button", { type: "button", class: "button small copy", "aria-label": `Copy ${what}` }, name);
  let byHand = null;
  button.addEventListener("click", async () => {
    if (await copyText(text)) {
      button.textContent = "Copied";
      announce(`Copied ${what}`);
      setTimeout(() => { button.textContent = name; }, 2000);
      return;
    }
    byHand = byHand || element("input", { class: "by-hand", readonly: true, value: text, "aria-label": `To copy by hand: ${what}` });
    button.after(byHand);
    byHand.focus();
    byHand.select();
    announce("The browser did not allow copying; the text is selected");
  });
  return button;
}

// Returns a function that tests whether a text contains every word of `wanted`, in any case.
function wordsIn(wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

// onChange(found) filters by found(text) and returns [number left, total].
function searchBox(label, onChange) {
  const id = `search-${searchBox.next = (searchBox.next || 0) + 1}`;
  const said = element("span", { class: "note" });
  const box = element("input", { type: "search", id, autocomplete: "off", spellcheck: "false" });
  box.addEventListener("input", () => {
    const [left, all] = onChange(wordsIn(box.value));
    said.textContent = box.value.trim() ? `${formatThousands(left)} of ${formatThousands(all)}` : "";
    announce(said.textContent);
  });
  return element("div", { class: "field search" }, element("label", { for: id }, label), box, said);
}

function select(label, options, chosen, onChange) {
  const id = `select-${select.next = (select.next || 0) + 1}`;
  const box = element("select", { id, onchange: (event) => onChange(event.target.value) },
    options.map((option) => element("option", { value: option, selected: option === chosen }, option)));
  return element("span", { class: "field" }, element("label", { for: id }, label), box);
}

function tile(label, value, ...notes) {
  return element("div", { class: "tile" }, element("dt", {}, label),
    element("dd", {}, element("span", { class: "value" }, value), notes.length ? element("span", { class: "note" }, notes) : ""));
}
