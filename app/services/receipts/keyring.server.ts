import type { PublicJwk, Signer } from "./signer.server.ts";

/** The keys of this process, of which one signs: until a rotation is done an older one, then the newest. */
export class Keyring implements Signer {
  #held: readonly [Signer, ...Signer[]];
  #active: Signer;
  readonly #forget: () => void;

  /** `signers`: newest first. `forget`: called once the older ones are needed no more. */
  constructor(signers: readonly [Signer, ...Signer[]], forget: () => void = () => {}) {
    this.#held = signers;
    this.#active = signers[0];
    this.#forget = forget;
  }

  get kid(): string {
    return this.#active.kid;
  }

  get jwk(): PublicJwk {
    return this.#active.jwk;
  }

  readonly sign = (octets: Uint8Array): Uint8Array => this.#active.sign(octets);

  get newest(): Signer {
    return this.#held[0];
  }

  /** Whether older keys are held beside the newest. */
  get hasFormer(): boolean {
    return this.#held.length > 1;
  }

  /** The key with that thumbprint, if it is held. */
  holding(kid: string): Signer | undefined {
    return this.#held.find((one) => one.kid === kid);
  }

  /** Signs with this key from now on; false if it is not held. */
  use(kid: string): boolean {
    const found = this.holding(kid);
    if (found) this.#active = found;
    return found !== undefined;
  }

  forgetFormer(): void {
    if (!this.hasFormer) return;
    this.#held = [this.newest];
    this.#forget();
  }
}
