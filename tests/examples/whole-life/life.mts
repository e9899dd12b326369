/** A customer's domain from first to last, in test mode. Needs DEED_URL and DEED_KEY, a test key. */
const { DEED_URL, DEED_KEY } = process.env;

async function call(method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${DEED_KEY}`, "Content-Type": "application/json" };
  const asked = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(DEED_URL + path, asked);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.status === 204 ? null : answer.json();
}

const [byName, mine] = ["/api/domains/by-name/lapsed.test", "?reference=customer-1"];
await call("POST", "/api/test/reset");
const wanted = { reference: "customer-1", watch: true, handoff: {} };
const { record, handoff } = await call("PUT", byName, wanted);
console.log("Add", record.name, "or open", handoff.url);
for (const seconds of [60, ...Array(12).fill(86_400)]) {
  await call("POST", "/api/test/clock", { seconds });
  const { holds, watch } = await call("GET", byName + mine);
  console.log(holds ? "holds" : "does not hold", watch.state);
}
const { deleted } = await call("DELETE", `/api/domains${mine}`);
console.log("Erased:", deleted);
