// The page itself: its data and its navigation.

const data = JSON.parse(byId("data").textContent);

function fillNav() {
  const link = (href, text, note) => element("a", { href }, element("span", {}, text), note ? element("span", { class: "note" }, note) : "");
  const list = element("ul", {}, element("li", {}, link("#overview", "Strategies")), data.recordings.map((recording, i) =>
    element("li", {}, link(`#recording-${i}`, recording.name, formatThousands(recording.configurations)))));
  const box = element("details", { open: true }, element("summary", {}, "Recordings"), list);
  byId("nav").replaceChildren(box);
  // On a narrow screen the list would push the results down, so it opens on demand there.
  const wide = matchMedia("(min-width: 60rem)");
  const follow = () => { box.open = wide.matches; };
  wide.addEventListener("change", follow);
  follow();
  list.addEventListener("click", (event) => { if (event.target.closest("a") && !wide.matches) box.open = false; });
}

function viewOf(hash) {
  const recording = /^#recording-(\d+)$/.exec(hash);
  return recording && Number(recording[1]) < data.recordings.length ? recordingView(data, data.recordings[Number(recording[1])]) : overviewView(data);
}

function show(focus) {
  const hash = location.hash || "#overview";
  dropCharts();
  byId("main").replaceChildren(...viewOf(hash).flat(Infinity).filter(Boolean));
  startCharts();
  for (const link of byId("nav").querySelectorAll("a")) {
    if (link.getAttribute("href") === hash) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const head = byId("main").querySelector("h1");
  document.title = `${head.textContent} - Warpwright replay`;
  if (!focus) return;
  scrollTo(0, 0);
  head.focus({ preventScroll: true });
}

function start() {
  startTheme();
  byId("program").textContent = data.program || "warpwright";
  byId("made").textContent = [plural(data.recordings.length, "recording"), data.made_utc].filter(Boolean).join(" · ");
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
