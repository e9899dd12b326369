// Started by findDamage: prints the damage of the given database.
import { damageOf } from "./damage.ts";

console.log(damageOf(process.argv[2] ?? "") ?? "");
