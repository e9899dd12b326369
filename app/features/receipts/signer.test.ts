import { expect, it } from "vitest";
import { signerOf } from "./signer.server.ts";

it("signs the example of RFC 8037 appendix A", () => {
  const seed = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url");
  const signer = signerOf(seed.toString("hex"));
  expect(signer.jwk.x).toBe("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
  expect(signer.kid).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  const input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  expect(Buffer.from(signer.sign(Buffer.from(input))).toString("base64url")).toBe(
    "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
  );
});
