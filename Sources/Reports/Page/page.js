// Runs after all parts of the script that define the map.
{
  for (const link of missingLinks()) link.addEventListener("click", () => { document.querySelector(link.hash).open = true; });
  const data = parsed(document.getElementById("data").textContent);
  const root = document.querySelector(".explorer");
  if (root && data.box) {
    crossesAntimeridian = data.box[3] > 180;
    // report.html?embed shows only the map with its title, headline and legend, for a frame of another page.
    const isEmbedded = data.isEmbedded || new URLSearchParams(location.search).has("embed");
    document.documentElement.classList.toggle("embed", isEmbedded);
    // Read before the explorer is made: the address changes as soon as the map moves.
    const [hasView, hasMore] = [opened("at") !== null, location.hash !== ""];
    const explorer = new Explorer(root, data);
    kinds[data.kind](explorer, data);
    if (!isEmbedded) addTabs(root, explorer);
    if (hasMore) explorer.take?.restore();
    else if (explorer.firstHour) setControl(explorer.slider, explorer.firstHour);
    // The list makes the map narrower, so the view is fitted again.
    if (!hasView && explorer.detail.hidden) explorer.showAll();
  }
}

/** Adds tabs below the map on a phone: the list or the card of the selected item, charts with figures, and the rest. */
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
  // A card replaces the list. The sections that links lead to are in the last tab.
  explorer.onCard = () => choose("List");
  for (const link of missingLinks()) link.addEventListener("click", () => choose("About"));
}

/** Returns the links in the line about missing data to sections of the page. */
function missingLinks() { return document.querySelectorAll('.missing a[href^="#"]'); }
