// Parts of a trip's card: icons of maneuvers, times at other hours, files to save, and links.

/** Paths of icons of maneuvers, in a square of 20; the traveller comes from the bottom. */
const maneuverPaths = {
  wait: "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M10 6v4l3 2",
  straight: "M10 18V4M5 9l5-6 5 6", right: "M6 18V9q0-3 3-3h7M12 2l5 4-5 4", slightRight: "M6 18v-5l8-8M8 4h7v7",
  sharpRight: "M5 18V5q0-2 2-1l8 9M15 6v8H8", uTurn: "M14 18V8a4 4 0 0 0-8 0v8M2.5 12l3.5 4.5 3.5-4.5",
  fork: "M10 18v-6l-5-6M10 12l6-7M10.5 4H17v6", merge: "M10 3v15M5 18q0-6 5-8M6 7l4-5 4 5",
  roundabout: "M10 18v-4M10 14a4 4 0 1 1 4-4M14 10h4M15.5 7l3 3-3 3", depart: "M10 6a4 4 0 1 0 .01 0M10 14v4",
  arrive: "M6 18V3h9l-3 3.5 3 3.5H6", board: "M3 12h14l-2.5 5h-9zM6 12V7h7l2 5M10 7V3",
  steps: "M3 17h4v-4h4V9h4V5h3", walk: "M11 3.5a1 1 0 1 0 .01 0M10 7l-2 5 3 2v4M8 12l-2 6M10 7l3 3h3",
};

/** The icon of a maneuver: that of the first pattern that matches. */
const maneuverForms = [
  [/^depart/, "depart"], [/^wait/, "wait"], [/^arrive/, "arrive"], [/^(take_ferry|take_train|take_car_train)/, "board"], [/^(take_steps|take_escalator|take_elevator)/, "steps"],
  [/^(push|ride)/, "walk"], [/roundabout/, "roundabout"], [/^u_turn/, "uTurn"], [/^merge/, "merge"], [/^(keep_left|keep_right)/, "fork"],
  [/slight|^(ramp|exit)_/, "slightRight"], [/sharp/, "sharpRight"], [/^turn/, "right"],
];

/** Returns the icon of a step, mirrored for the left. It is hidden from screen readers: the step has the same in words. */
function maneuverIcon(maneuver) {
  const path = maneuverPaths[maneuverForms.find(([form]) => form.test(maneuver ?? ""))?.[1] ?? "straight"];
  return drawing("svg", { class: "sign", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    drawing("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linecap": "round", "stroke-linejoin": "round", ...(maneuver?.endsWith("left") ? { transform: "translate(20 0)scale(-1 1)" } : {}) }));
}

/** Returns the colour of text on a background, both as "#0067b1": the wanted one, or black or white if that is hard to read. */
function legible(ground, wanted) {
  const light = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (color) => (Math.max(light(ground), light(color)) + 0.05) / (Math.min(light(ground), light(color)) + 0.05);
  // WCAG 2.1 asks for at least 4.5; black or white has that contrast on any background.
  return contrast(wanted) >= 4.5 ? wanted : contrast("#ffffff") >= 4.5 ? "#ffffff" : "#000000";
}

/** Returns a small curve of consecutive values, one of them marked; a click on a point picks it. */
function sparkline(values, current, { label, pick, told }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [least, most, width, height] = [Math.min(...known), Math.max(...known), 320, 56];
  const x = (index) => 6 + (index / Math.max(1, values.length - 1)) * (width - 12);
  const y = (value) => height - 8 - ((value - least) / (most - least || 1)) * (height - 16);
  const points = values.flatMap((value, index) => (value === null ? [] : [`${x(index).toFixed(1)},${y(value).toFixed(1)}`])).join(" ");
  const dots = values.flatMap((value, index) => {
    if (value === null) return [];
    const dot = drawing("circle", { cx: x(index).toFixed(1), cy: y(value).toFixed(1), r: index === current ? 5 : values.length > 40 ? 2 : 3, fill: index === current ? "var(--accent)" : "var(--soft)" }, drawing("title", {}, told(index)));
    if (pick) { dot.addEventListener("click", () => pick(index)); dot.style.cursor = "pointer"; }
    return [dot];
  });
  return element("figure", { class: "sparks" },
    drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, drawing("polyline", { points, fill: "none", stroke: "var(--soft)", "stroke-width": "1.5" }), ...dots),
    element("figcaption", { class: "soft" }, label));
}

/** Escapes a text for XML, and removes its isolates. */
const xml = (text) => unisolated(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Returns a route as GPX 1.1: its line as a track, with elevations if known, and the starts of its steps as a route. */
function gpxOf(name, line, { heights, steps = [] }) {
  const at = (index) => {
    const { lat, lng } = wrapped([line[index * 2], line[index * 2 + 1]]);
    return `lat="${lat.toFixed(6)}" lon="${lng.toFixed(6)}"`;
  };
  const height = (index) => (heights?.[index] === null || heights?.[index] === undefined ? "" : `<ele>${heights[index]}</ele>`);
  const points = Array.from({ length: line.length / 2 }, (_, index) => `<trkpt ${at(index)}>${height(index)}</trkpt>`);
  const turns = steps.map(([instruction, , , , from]) => `<rtept ${at(from)}>${height(from)}<name>${xml(instruction)}</name></rtept>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="odometer" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><name>${xml(name)}</name><copyright author="OpenStreetMap contributors"/></metadata>
${turns.length ? `<rte><name>${xml(name)}</name>\n${turns.join("\n")}\n</rte>\n` : ""}<trk><name>${xml(name)}</name><trkseg>
${points.join("\n")}
</trkseg></trk>
</gpx>
`;
}

/** Returns the names and addresses of links that open a trip on other map sites. */
function tripLinks(from, to, mode) {
  const text = ({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`;
  // OpenStreetMap's site has no routing by public transport.
  const engine = { driving: "fossgis_osrm_car", walking: "fossgis_osrm_foot", cycling: "fossgis_osrm_bike" }[mode];
  return [
    ["Apple", `https://maps.apple.com/directions?source=${text(from)}&destination=${text(to)}&mode=${mode}`],
    ...(engine ? [["OpenStreetMap", `https://www.openstreetmap.org/directions?engine=${engine}&route=${encodeURIComponent(`${text(from)};${text(to)}`)}`]] : []),
    ["Google", `https://www.google.com/maps/dir/?api=1&origin=${text(from)}&destination=${text(to)}&travelmode=${mode === "cycling" ? "bicycling" : mode}`],
  ];
}
