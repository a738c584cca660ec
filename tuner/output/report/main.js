// The page itself: its data and its navigation.

const data = JSON.parse(byId("data").textContent);
const decoded = new Map();

function boardAt(index) {
  if (!decoded.has(index)) decoded.set(index, report.decodeBoard(data, index));
  return decoded.get(index);
}

const allBoards = () => data.boards.map((_, i) => boardAt(i));

function navLink(href, text, note) {
  return element("a", { href }, element("span", {}, text), note ? element("span", { class: "note" }, note) : "");
}

// "3.38 µs modelled, emulated NVIDIA H200"
function navNote(board, several) {
  const best = bestOf(board);
  const time = best ? `${formatUs(best.us)} µs${board.kind === "measured" ? "" : ` ${board.kind}`}` : "nothing passed";
  return several ? `${time}, ${board.device.name}` : time;
}

// Kernels without a remaining problem are hidden too.
function filterNav(list, boards, found) {
  let left = 0;
  for (const board of boards) {
    const shown = found(boardWords(board));
    list.querySelector(`a[href="#problem-${board.index}"]`).parentElement.hidden = !shown;
    left += shown;
  }
  for (const group of list.querySelectorAll("ul")) group.parentElement.hidden = ![...group.children].some((item) => !item.hidden);
  return [left, boards.length];
}

function fillNav() {
  const several = data.devices.length > 1;
  const boards = allBoards();
  const kernels = [...new Set(boards.map((board) => board.kernel))];
  const list = element("ul", {}, element("li", {}, navLink("#overview", "Overview")), element("li", {}, navLink("#devices", "Devices")),
    element("li", {}, navLink("#history", "History")),
    kernels.map((kernel) => element("li", {}, element("h2", {}, kernel), element("ul", {},
      boards.filter((board) => board.kernel === kernel).map((board) => element("li", {},
        navLink(`#problem-${board.index}`, board.problem_text, navNote(board, several))))))));
  const search = boards.length > 1 ? searchBox("Filter", (found) => filterNav(list, boards, found)) : "";
  const box = element("details", { open: true }, element("summary", {}, "Problems"), search, list);
  byId("nav").replaceChildren(box);
  // On a narrow screen the list would push the results down, so it opens on demand there.
  const wide = matchMedia("(min-width: 60rem)");
  const follow = () => { box.open = wide.matches; };
  wide.addEventListener("change", follow);
  follow();
  list.addEventListener("click", (event) => { if (event.target.closest("a") && !wide.matches) box.open = false; });
}

function viewOf(hash) {
  const problem = /^#problem-(\d+)$/.exec(hash);
  if (problem && Number(problem[1]) < data.boards.length) return boardView(data, allBoards(), boardAt(Number(problem[1])));
  if (hash === "#devices") return devicesView(data, allBoards());
  return hash === "#history" ? historyView(data, allBoards()) : overviewView(data, allBoards());
}

function markCurrent(hash) {
  for (const link of byId("nav").querySelectorAll("a")) {
    const current = link.getAttribute("href") === hash;
    if (current) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function show(focus) {
  const hash = location.hash || "#overview";
  dropCharts();
  // The view is built off the page first: charts find their place when they are started.
  const view = viewOf(hash).flat(Infinity).filter(Boolean);
  byId("main").replaceChildren(...view);
  startCharts();
  markCurrent(hash);
  const head = byId("main").querySelector("h1");
  document.title = `${head.textContent} - Warpwright report`;
  if (!focus) return;
  scrollTo(0, 0);
  head.focus({ preventScroll: true });
}

function start() {
  startTheme();
  byId("program").textContent = data.program || "warpwright";
  byId("made").textContent = [data.databases.map((database) => database.name).join(", "), data.made_utc].filter(Boolean).join(" · ");
  fillNav();
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
  followWidth();
  addEventListener("hashchange", () => show(true));
  show(false);
}

start();
