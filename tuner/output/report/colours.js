// The palettes of charts; text, muted, line and card are the colours of page.css. Text has a contrast of at least 4.5 against
// the card, marks of at least 3.

const palettes = {
  light: {
    name: "light",
    text: "#1b1f24", muted: "#545d68", line: "#d5dbe1", card: "#ffffff",
    accent: "#0b5cad", soft: "#8695a6", good: "#157f3d", bad: "#b3261e", bound: "#8a5a00",
    series: ["#0b62c4", "#c2410c", "#157f4a", "#8b3fb8", "#8a6400", "#0e7c86", "#b0246f", "#5b6470"],
    best: "#0a3d7a", worst: "#e6eef7",
  },
  dark: {
    name: "dark",
    text: "#e6e9ee", muted: "#a3aeba", line: "#333c47", card: "#171c23",
    accent: "#6cb2ff", soft: "#7d8b9a", good: "#5fd08f", bad: "#ff8a80", bound: "#e5b84b",
    series: ["#6cb2ff", "#ff9d6b", "#5fd08f", "#cfa0ff", "#e5c04b", "#56ccd6", "#ff8fc2", "#aab4be"],
    best: "#8cc4ff", worst: "#1d2a3a",
  },
};

const shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "stroke"];

function channels(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

// From `a` at 0 to `b` at 1, channel by channel, as Vega's "rgb" interpolation does.
function mix(a, b, at) {
  const from = channels(a), to = channels(b);
  return "#" + from.map((c, i) => Math.round(c + (to[i] - c) * at).toString(16).padStart(2, "0")).join("");
}

// WCAG 2: relative luminance and contrast.
function luminance(colour) {
  const [r, g, b] = channels(colour).map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// Black or white, whichever has more contrast on the colour; one of them always has at least 4.5.
function readableOn(colour) {
  return contrast("#000000", colour) >= contrast("#ffffff", colour) ? "#000000" : "#ffffff";
}
