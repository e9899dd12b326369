// What findDamage starts: prints the damage of the database that it is given.
import { damageOf } from "./damage.ts";

console.log(damageOf(process.argv[2] ?? "") ?? "");
