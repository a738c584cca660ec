// Elements without HTML strings: text of a database only ever becomes text.

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

// Says it to screen readers without moving the focus.
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

function copyButton(text, what) {
  const button = element("button", { type: "button", class: "button small", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      announce(`Copied ${what}`);
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    } catch {
      announce("The browser did not allow copying; select the text instead");
    }
  });
  return button;
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
