"use strict";
// Shared by all parts of the script: elements, formatting of numbers, and decoding of lines.

/** Creates an element with attributes and children; strings become text, never HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Creates an SVG element with attributes and children. */
function drawing(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Creates a small table. Heads that begin with "#" belong to numeric columns; `rows` have a text or an element for each head. */
function tableOf(caption, heads, rows, attributes) {
  const row = (tag, cells, scope) => element("tr", {}, cells.map((cell, column) => element(tag, { scope, class: heads[column].startsWith("#") ? "n" : null }, cell)));
  return element("table", attributes, typeof caption === "string" ? element("caption", {}, caption) : caption, element("thead", {}, row("th", heads.map((head) => head.replace("#", "")), "col")),
    element("tbody", {}, rows.map((cells) => row("td", cells))));
}

const thin = "\u202f";

/** Separates a number from its unit without allowing a line break. */
const noBreak = "\u00a0";

/** Letters of right-to-left scripts, such as Hebrew and Arabic, and marks, embeddings and overrides of the direction. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f\u202a-\u202e]/u;

/** Wraps right-to-left text in Unicode isolates, so that "A → B" stays in this order. */
function isolated(text) { return rightToLeft.test(text) ? `\u2068${text}\u2069` : text; }

/** Removes the isolates, for other programs. */
function unisolated(text) { return String(text).replace(/[\u2068\u2069]/g, ""); }

/** Parses the page's data, and isolates right-to-left strings. Encoded lines are ASCII, so they do not change. */
function parsed(text) {
  return rightToLeft.test(text) ? JSON.parse(text, (_, value) => (typeof value === "string" ? isolated(value) : value)) : JSON.parse(text);
}

/** Formats a number with `places` decimals; digits are grouped in threes from five digits on. */
function decimal(value, places = 0) {
  if (!Number.isFinite(value)) return "–";
  const [whole, rest] = Math.abs(value).toFixed(places).split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thin) : whole;
  const isZero = Number(Math.abs(value).toFixed(places)) === 0;
  return (value < 0 && !isZero ? "−" : "") + grouped + (rest ? "." + rest : "");
}

/** Formats a share in per cent: "53 %", under ten "7.6 %"; only 0 is "none", and less than 1 is never "100 %". */
function percent(share) {
  if (!Number.isFinite(share)) return "–";
  if (share === 0) return "none";
  if (share < 0) return `−${percent(-share)}`;
  const hundredths = share * 100;
  if (hundredths < 0.05) return `under 0.1${noBreak}%`;
  if (hundredths >= 99.5 && hundredths < 100) return `over 99${noBreak}%`;
  return `${decimal(hundredths, hundredths < 9.95 ? 1 : 0)}${noBreak}%`;
}

/** Formats seconds: "42 s", "7.5 min", "38 min", "1 h 37 min". */
function duration(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0 || seconds >= 9e15) return "–";
  if (seconds < 59.5) return `${decimal(Math.round(seconds))}${noBreak}s`;
  const tenths = Math.round(seconds / 6);
  if (tenths < 100) return `${decimal(tenths / 10, tenths % 10 ? 1 : 0)}${noBreak}min`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}${noBreak}min`;
  return `${decimal(Math.floor(minutes / 60))}${noBreak}h${minutes % 60 ? `${noBreak}${minutes % 60}${noBreak}min` : ""}`;
}

/** Formats a threshold in seconds without rounding: "12.5 min", "1 h". */
function limitText(seconds) {
  if (seconds < 60 || seconds % 60 === 0) return duration(seconds);
  return `${decimal(seconds / 60, seconds % 6 && !(seconds % 3) ? 2 : 1)}${noBreak}min`;
}

/** Formats an instant: "Mon 13 May 2019, 14:00"; returns other texts unchanged. */
function moment(text) {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(text ?? "") ?? [];
  if (!time) return text;
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  const name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1];
  return `${weekday} ${Number(day)} ${name} ${year}, ${time}`;
}

/** Returns the heading of an axis, given the name of one of its rows: "By percentile" or "By hour". */
function axisOf(name) { return name?.startsWith("percentile ") ? "By percentile" : "By hour"; }

/** Formats metres: "850 m", "4.2 km", "41 km". */
function length(metres) {
  if (metres === null || metres === undefined) return "–";
  if (metres < 999.5) return `${Math.round(metres)}${noBreak}m`;
  const tenths = Math.round(metres / 100);
  return `${decimal(tenths / 10, tenths < 100 && tenths % 10 ? 1 : 0)}${noBreak}km`;
}

/** Formats square metres to two digits: "72 km²", "0.85 km²". */
function area(squareMetres) {
  if (squareMetres === null || squareMetres === undefined) return "–";
  if (squareMetres < 9500) return `${decimal(squareMetres)}${noBreak}m²`;
  const kilometres = squareMetres / 1e6;
  return `${decimal(kilometres, kilometres < 0.0995 ? 3 : kilometres < 0.995 ? 2 : kilometres < 9.95 ? 1 : 0)}${noBreak}km²`;
}

/** Whether the map shows both sides of the antimeridian: western longitudes then continue above 180°, and x above 1. */
let crossesAntimeridian = false;

/** Projects a point to Web Mercator (EPSG:3857): x eastward and y southward, from 0 to 1. */
function world(latitude, longitude) {
  const sine = Math.min(Math.max(Math.sin((latitude * Math.PI) / 180), -0.9999), 0.9999);
  return [(longitude + (crossesAntimeridian && longitude < 0 ? 540 : 180)) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** Returns the place of a projected point. */
function place([x, y]) {
  return L.latLng((Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, x * 360 - 180);
}

/** Returns the place of a projected point for other programs: its longitude is at most 180°. */
function wrapped(point) {
  const { lat, lng } = place(point);
  return { lat, lng: lng > 180 ? lng - 360 : lng };
}

/**
 * Decodes a geometry to its parts, each x, y, x, y, …. The format is Google's Encoded Polyline Algorithm Format, latitude
 * first, in 1e-5 degrees, with a space between parts.
 */
function decoded(text) {
  const parts = [];
  let [part, latitude, longitude, index] = [[], 0, 0, 0];
  const next = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = text.charCodeAt(index++) - 63;
      value |= (byte & 31) << shift;
      shift += 5;
    } while (byte >= 32);
    return value & 1 ? ~(value >> 1) : value >> 1;
  };
  while (index < text.length) {
    if (text.charCodeAt(index) === 32) {
      parts.push(Float64Array.from(part));
      [part, latitude, longitude] = [[], 0, 0];
      index++;
      continue;
    }
    latitude += next();
    longitude += next();
    part.push(...world(latitude / 1e5, longitude / 1e5));
  }
  if (part.length) parts.push(Float64Array.from(part));
  return parts;
}

/** Whether this browser can read deflated data. */
const inflates = typeof DecompressionStream === "function";

/** Inflates data that is deflated and in base64. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the places in the page's data, which are columns, with `points` as one line. */
function placesOf({ id, name, ok, points }) {
  const [line] = decoded(points);
  return id.map((id, index) => ({ index, id, name: name[index], ok: ok[index] === 1, x: line[index * 2], y: line[index * 2 + 1] }));
}

/** Returns the box around parts: x and y of its northwest corner, then of its southeast corner. */
function boxAround(parts) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      if (part[i] < box[0]) box[0] = part[i];
      if (part[i] > box[2]) box[2] = part[i];
      if (part[i + 1] < box[1]) box[1] = part[i + 1];
      if (part[i + 1] > box[3]) box[3] = part[i + 1];
    }
  }
  return box;
}

/** Returns the square of the distance of a point from a line, in the unit of their coordinates. */
function squaredDistance(part, x, y) {
  let least = Infinity;
  for (let i = 0; i < part.length; i += 2) {
    const [ax, ay] = [part[i], part[i + 1]];
    const j = i + 2 < part.length ? i + 2 : i;
    const [dx, dy] = [part[j] - ax, part[j + 1] - ay];
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
    const [ex, ey] = [x - ax - along * dx, y - ay - along * dy];
    least = Math.min(least, ex * ex + ey * ey);
  }
  return least;
}

/** The values of the style's colour variables in the current scheme: light, dark or print. */
const colors = {
  found: new Map(),
  of(name) {
    if (!this.found.has(name))
      this.found.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return this.found.get(name);
  },
};

/** Returns the value of a word in the address, such as report.html#at=14/41.15/-8.61&pair=17; null if it has none. */
function opened(word) {
  for (const part of location.hash.slice(1).split("&")) {
    const [key, text] = part.split("=");
    if (key !== word || text === undefined) continue;
    try { return isolated(decodeURIComponent(text)); } catch { return null; }
  }
  return null;
}

/** Sets a slider or a choice, and fires the event of a user's change. */
function setControl(control, value) {
  control.value = value;
  control.dispatchEvent(new Event(control.type === "range" ? "input" : "change"));
}

/** Functions that add each kind of results to the map: `kinds.matrix = (explorer, data) => …`, in the kind's own file. */
const kinds = {};

/** Returns the mean of the known values; null if there are none. */
function mean(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}
