// A module of its own in CommonJS, because bundlers keep only a `require` lazy that stays synchronous.
module.exports = () => require("tr46");
