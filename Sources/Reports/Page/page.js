// Begins when all parts of the script are there.
{
  for (const link of missingLinks()) link.addEventListener("click", () => { document.querySelector(link.hash).open = true; });
  const data = parsed(document.getElementById("data").textContent);
  const root = document.querySelector(".explorer");
  if (root && data.box) {
    // report.html?embed: the map, its title and what it means, for a frame of another page.
    const isEmbedded = data.isEmbedded || new URLSearchParams(location.search).has("embed");
    document.documentElement.classList.toggle("embed", isEmbedded);
    // The address changes as soon as the map moves.
    const [hasView, hasMore] = [opened("at") !== null, location.hash !== ""];
    const explorer = new Explorer(root, data);
    kinds[data.kind](explorer, data);
    if (!isEmbedded) addTabs(root, explorer);
    if (hasMore) explorer.take?.restore();
    else if (explorer.firstHour) setControl(explorer.slider, explorer.firstHour);
    // With its list the map is narrower than it was without.
    if (!hasView && explorer.detail.hidden) explorer.showAll();
  }
}

/** What is under the map of a phone, one at a time: the list, or what is picked; charts and figures; and the rest. */
function addTabs(root, explorer) {
  const parts = { List: ".panel:not([hidden])", Charts: "main > section, main > .figures", About: "main > details" };
  const shown = Object.keys(parts).filter((name) => document.querySelector(parts[name]));
  if (shown.length < 2) return;
  const choose = (name) => {
    document.documentElement.dataset.tab = name.toLowerCase();
    for (const button of bar.children) button.setAttribute("aria-pressed", String(button.textContent === name));
  };
  const go = (name) => {
    choose(name);
    document.querySelector(parts[name]).scrollIntoView();
  };
  const bar = element("div", { class: "tabs", role: "group", "aria-label": "Under the map" }, shown.map((name) => element("button", { type: "button", onclick: () => go(name) }, name)));
  explorer.panel.before(bar);
  choose(shown[0]);
  // What is picked is in the list's place; what one goes to in the page is among the rest.
  explorer.onCard = () => choose("List");
  for (const link of missingLinks()) link.addEventListener("click", () => choose("About"));
}

/** Links from the line of what is missing to their sections. */
function missingLinks() { return document.querySelectorAll('.missing a[href^="#"]'); }
