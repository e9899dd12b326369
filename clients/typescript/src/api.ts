// Made by scripts/client-types.ts.
export interface paths {
  "/api/zones/{name}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Look at a zone
     * @description Public; with an API key it draws on the key's budget. A stream of two events, `delegation` then `publishing`, that ends after the second: do not reconnect. A failure is always a status with the error envelope, never an event.
     */
    get: operations["getZonesName"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/domains": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List domains, newest first
     * @description Archived domains are left out until `archived` asks for them; `name` finds a domain whether archived or not, and one for each reference. Each has the diagnosis or wait of its claim in play. `counts` tallies the whole account, whatever the filters. `nextCursor` is passed back as `cursor`; it is null on the last page.
     */
    get: operations["getDomains"];
    put?: never;
    /**
     * Find or create a domain
     * @description The same name on the same account returns the same domain: 201 where it was created, 200 where it was found. With a `reference`, the same name is another domain for each reference, with its own claims, tokens and proofs. `normalisations` says what was done to the name.
     */
    post: operations["postDomains"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/domains/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read a domain */
    get: operations["getDomainsId"];
    put?: never;
    post?: never;
    /**
     * Erase a domain
     * @description Its claims, verifications and notices are erased with it. Its proof links stop working.
     */
    delete: operations["deleteDomainsId"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/domains/{id}/archive": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Archive a domain
     * @description Ends an open claim and revokes every public link of the domain. Links do not come back; proofs keep their dates. Idempotent.
     */
    post: operations["postDomainsIdArchive"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/domains/{id}/unarchive": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take a domain out of the archive
     * @description With all its claims. Opens no claim and restores no link. Idempotent.
     */
    post: operations["postDomainsIdUnarchive"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List claims, newest first
     * @description Every claim of the account in every state: its history, each with its diagnosis or wait. With `limit`, `cursor` or `reference` the answer is a page, of 25 without `limit`, and `nextCursor` is passed back as `cursor`; without them it is all claims.
     */
    get: operations["getClaims"];
    put?: never;
    /**
     * Open a claim
     * @description Issues a token and the record to create, and starts the verification. What to type into a panel is `panel.host` once `panel` is not null; `records[0].host` is right at a zone's apex alone. While a claim is open on the domain the answer is 409 `already_claimed`, and `error.claim` is that claim: no second token is issued. An account may have a limited number of claims open at once (200 unless the operator set `LIMIT_OPEN_CLAIMS`); one more is 409 `too_many_claims`.
     */
    post: operations["postClaims"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a claim
     * @description `coexistence` says whether another account has proved the same name: null where none has, who (masked) and when once this claim is proved itself.
     */
    get: operations["getClaimsId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an open claim
     * @description Its token stops being accepted and its verification stops.
     */
    post: operations["postClaimsIdCancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/verifications/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a verification
     * @description While it is not proved, exactly one of `diagnosis` (something about the record is wrong) and `waitEstimate` (nothing is, DNS has not caught up) is present.
     */
    get: operations["getVerificationsId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/verifications/{id}/runs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check DNS now
     * @description Answers once DNS was read, with the proof or the named reason the record is missing. Two runs at once share one read and one draw on the budget. Where the claim ends meanwhile without a proof the answer is 409 `verification_not_running`.
     */
    post: operations["postVerificationsIdRuns"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/verifications/{id}/attempts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the checks of a verification, newest first */
    get: operations["getVerificationsIdAttempts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/handoff": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a hand-off link
     * @description Issues a page that needs no account: the record to add, its state, and a button that checks DNS now. Asking twice returns the same page; after a revocation it gets a new slug. It answers 410 once the claim has ended. A field that is left out stays as it is.
     */
    post: operations["postClaimsIdHandoff"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/handoff/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a hand-off link
     * @description Its slug stops working and never works again. The claim stays open.
     */
    post: operations["postClaimsIdHandoffRevoke"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/handoffs/{slug}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what a hand-off page shows
     * @description Public, as the page is, and on the same budget: the record to add, its state, and who asks. Once the page has ended the answer is 410, and `ended` says how.
     */
    get: operations["getHandoffsSlug"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/proof_links": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the links of a claim, newest first
     * @description Revoked ones included.
     */
    get: operations["getClaimsIdProofLinks"];
    put?: never;
    /**
     * Publish a proof
     * @description Asking twice returns the same link. After a revocation it issues a new slug.
     */
    post: operations["postClaimsIdProofLinks"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/proof_links/{slug}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a proof link
     * @description Its slug stops working and never works again. The proof keeps its date.
     */
    post: operations["postClaimsIdProofLinksSlugRevoke"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/proofs/{slug}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a published proof
     * @description Public, and reads no DNS. `recency` says whether a later proof of the same name exists.
     */
    get: operations["getProofsSlug"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/proofs/{slug}/receipt": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the receipt of a published proof
     * @description Public. A file that anyone can check alone, offline and years later: a signed statement, the DNSSEC chain from the root to the token where the zone is signed, and the proof that the log has the statement. `log` is null until a checkpoint covers it. Proofs made before version 0.2.0 have no receipt.
     */
    get: operations["getProofsSlugReceipt"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/receipt": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the receipt of a proved claim
     * @description For its holder, whether the proof is published or not.
     */
    get: operations["getClaimsIdReceipt"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/opening": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what opens the holder's address in a receipt
     * @description For the holder alone. With `opening`, the address and the receipt, a reader of the holder's choice can check that the address held the proof. Without it, nobody can test addresses.
     */
    get: operations["getClaimsIdOpening"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/evidence": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the evidence behind a receipt
     * @description Everything that the read which proved the claim saw. Its octets are canonical JSON (RFC 8785), and their SHA-256 is `evidenceSha256` of the receipt's statement.
     */
    get: operations["getClaimsIdEvidence"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/claims/{id}/watch": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Read what watching has shown */
    get: operations["getClaimsIdWatch"];
    /**
     * Watch the record of a proof
     * @description Deed reads the record once a day from now on, at a time of the claim's own. The claim, its date and its links never change by it. Asking twice changes nothing.
     */
    put: operations["putClaimsIdWatch"];
    post?: never;
    /**
     * Stop watching
     * @description The proof stays as it is. Asking twice changes nothing.
     */
    delete: operations["deleteClaimsIdWatch"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/proofs/{slug}/watch": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the record of a published proof is still there
     * @description Public, and reads no DNS: it says what the last daily read saw. `not_watched` 404 if its holder does not keep it watched.
     */
    get: operations["getProofsSlugWatch"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/notices": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List notices, newest first */
    get: operations["getNotices"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/notices/{id}/read": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Mark a notice as read
     * @description Idempotent: the first time stays.
     */
    post: operations["postNoticesIdRead"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow changes on the account
     * @description A stream of unnamed events that stays open. It carries no state: a message names what moved and the client reads it back. Each has an id; a reconnect that sends it as `Last-Event-ID` gets what it missed (24 hours are kept). If not all of that is kept, or the id is not known, the event `reset` comes first: read your lists again. A comment every 20 seconds keeps it alive; it ends when the session or the API key does.
     */
    get: operations["getEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/oidc": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sign in at the identity provider
     * @description For a browser to open. Absent where the installation names no provider. A link on another site leads to the sign-in page instead, because signing in needs a click there.
     */
    get: operations["getAuthOidc"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/auth/oidc/callback": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Return from the identity provider
     * @description Where the provider sends the browser to. A refused sign-in is `invalid_sign_in`; a browser, which asks for HTML, gets a page that says so.
     */
    get: operations["getAuthOidcCallback"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the service can serve
     * @description 503 where its database fails, where its worker stands still (on the primary alone, where there are several nodes), where another node was made the primary after it, and while it shuts down. Only calls on the service's own machine, past no proxy, and calls with the bearer token `METRICS_TOKEN` get more than `status` and `reason`.
     */
    get: operations["getHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/health/live": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the process answers
     * @description Touches no database. For a supervisor that restarts the process where it does not answer.
     */
    get: operations["getHealthLive"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/health/ready": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether this node may take traffic
     * @description 503 where its database fails, where another node was made the primary after it, and while it shuts down. 200 with `degraded` on a node without a primary: it serves reads, and refuses writes with `unavailable`.
     */
    get: operations["getHealthReady"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/openapi.json": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** This description, as OpenAPI 3.1 */
    get: operations["getOpenapiJson"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  "verification.ran": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["VerificationRanMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "claim.opened": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ClaimOpenedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "claim.ended": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ClaimEndedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "claim.proved": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ClaimProvedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "claim.expired": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ClaimExpiredMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "claim.needs_attention": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ClaimNeedsAttentionMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "domain.created": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["DomainCreatedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "domain.archived": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["DomainArchivedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "domain.unarchived": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["DomainUnarchivedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "domain.deleted": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["DomainDeletedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "proof_link.issued": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ProofLinkIssuedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "proof_link.revoked": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["ProofLinkRevokedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "notice.created": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["NoticeCreatedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "handoff.opened": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["HandoffOpenedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "watch.published": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WatchPublishedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "watch.missing": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WatchMissingMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "watch.lapsed": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WatchLapsedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "watch.moved": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WatchMovedMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "watch.gone": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WatchGoneMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "webhook.test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "webhook-id": string;
          "webhook-timestamp": string;
          "webhook-signature": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          "application/json": components["schemas"]["WebhookTestMessage"];
        };
      };
      responses: {
        /** @description Taken */
        "2XX": {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    ClaimDetail: {
      id: string;
      domainId: string;
      domain: string;
      unicodeDomain: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      /** @enum {string} */
      state: "pending" | "proved" | "expired" | "canceled";
      token: string;
      records: components["schemas"]["Record"][];
      /** @description Where the record is typed; null until a read of the claim has told the zone */
      panel: components["schemas"]["Panel"] | null;
      verificationId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      expiresAt: string;
      endedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      coexistence: components["schemas"]["Coexistence"] | null;
    };
    Record: {
      /** @description The label. Below a zone's apex more than this is typed: `panel.host` of the claim */
      host: string;
      name: string;
      /** @constant */
      type: "TXT";
      value: string;
    };
    Panel: {
      /** @description The zone that holds the name: whose panel it is */
      zone: string;
      /** @description What to type into the panel's host field */
      host: string;
      /** @enum {string} */
      provider:
        | "cloudflare"
        | "route53"
        | "godaddy"
        | "namecheap"
        | "google-domains"
        | "vercel"
        | "other";
    };
    Coexistence:
      | components["schemas"]["UnnamedCoexistence"]
      | components["schemas"]["NamedCoexistence"];
    UnnamedCoexistence: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "unnamed";
    };
    NamedCoexistence: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "named";
      maskedEmail: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      provedAt: string;
    };
    HandoffEnding: {
      /** @enum {string} */
      how: "proved" | "expired" | "canceled" | "revoked";
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      at: string;
    };
    WayBack: {
      host: string;
      /** @description Leads there with the outcome, signed at that moment, in the query */
      url: string;
    };
    Error: {
      error: {
        /** @enum {string} */
        code:
          | "invalid_domain"
          | "invalid_request"
          | "origin_not_registered"
          | "unauthenticated"
          | "invalid_sign_in"
          | "invalid_api_key"
          | "insufficient_scope"
          | "not_first_address"
          | "cross_origin"
          | "no_delegation"
          | "domain_not_found"
          | "claim_not_found"
          | "claim_not_proved"
          | "verification_not_found"
          | "proof_link_not_found"
          | "proof_not_found"
          | "receipt_not_found"
          | "handoff_not_found"
          | "not_watched"
          | "notice_not_found"
          | "person_not_found"
          | "invitation_not_found"
          | "key_not_found"
          | "webhook_not_found"
          | "delivery_not_found"
          | "session_not_found"
          | "not_found"
          | "method_not_allowed"
          | "already_claimed"
          | "too_many_claims"
          | "too_many_keys"
          | "already_in_account"
          | "too_many_people"
          | "first_address_stays"
          | "address_has_account"
          | "too_many_webhooks"
          | "webhook_disabled"
          | "claim_ended"
          | "domain_archived"
          | "verification_not_running"
          | "proof_revoked"
          | "handoff_ended"
          | "payload_too_large"
          | "unsupported_media_type"
          | "rate_limited"
          | "internal"
          | "unresolvable"
          | "unavailable";
        /** @description For people; may be reworded */
        message: string;
        docsUrl: string;
        /** @description The open claim */
        claim?: components["schemas"]["ClaimDetail"];
        ended: components["schemas"]["HandoffEnding"];
        back: components["schemas"]["WayBack"] | null;
      };
    };
    DelegationFrame: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      step: "delegation";
      name: string;
      domain: {
        ascii: string;
        unicode: string;
        normalisations: string[];
        isPublicSuffix: boolean;
      };
      nameservers: string[];
      /**
       * @default cloudflare
       * @enum {string}
       */
      provider:
        | "cloudflare"
        | "route53"
        | "godaddy"
        | "namecheap"
        | "google-domains"
        | "vercel"
        | "other";
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      observedAt: string;
      cached: boolean;
    };
    PublishingFrame: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      step: "publishing";
      publishingMinutes: number | null;
      negativeCacheTtlSeconds: number | null;
    };
    /** @description What each event of the zone stream carries as data */
    ZoneFrame: components["schemas"]["DelegationFrame"] | components["schemas"]["PublishingFrame"];
    AddedDomain: {
      id: string;
      name: string;
      unicodeName: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      archived: boolean;
      /** @description The date of its newest proof, whatever claims came after it */
      lastProvedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      /** @description What was done to the input, in this order; empty if nothing */
      normalisations: (
        | "trimmed"
        | "scheme_removed"
        | "userinfo_removed"
        | "path_removed"
        | "port_removed"
        | "trailing_dot_removed"
        | "wildcard_removed"
        | "challenge_label_removed"
        | "lowercased"
        | "idna_mapped"
        | "punycode_encoded"
        | "www_removed"
      )[];
    };
    DomainList: {
      domains: components["schemas"]["ListedDomain"][];
      counts: components["schemas"]["DomainCounts"];
      nextCursor: string | null;
    };
    ListedDomain: {
      id: string;
      name: string;
      unicodeName: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      archived: boolean;
      /** @description The date of its newest proof, whatever claims came after it */
      lastProvedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      /** @enum {string} */
      status: "unclaimed" | "pending" | "proved" | "expired" | "canceled";
      claimId: string | null;
      verificationId: string | null;
      claimStartedAt: string | null;
      claimEndedAt: string | null;
      diagnosis: components["schemas"]["Diagnosis"] | null;
      waitEstimate: components["schemas"]["WaitEstimate"] | null;
    };
    Diagnosis:
      | components["schemas"]["DomainAppended"]
      | components["schemas"]["RecordAtApex"]
      | components["schemas"]["RecordOnWww"]
      | components["schemas"]["ValueFormatted"]
      | components["schemas"]["ExpiredToken"]
      | components["schemas"]["ForeignToken"]
      | components["schemas"]["NoMatchingRecord"]
      | components["schemas"]["CnameConflict"]
      | components["schemas"]["RecordAbsent"]
      | components["schemas"]["NotPublished"]
      | components["schemas"]["NegativeCache"]
      | components["schemas"]["Servfail"]
      | components["schemas"]["LameDelegation"];
    DomainAppended: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "domain_appended";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        name: string;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    /** @enum {string} */
    Awaits: "claimant" | "provider" | "registrar" | "resolvers";
    RecordAtApex: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "record_at_apex";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        name: string;
        value: string;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    RecordOnWww: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "record_on_www";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        name: string;
        value: string;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    ValueFormatted: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "value_formatted";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        value: string;
        damage: ("quoted" | "whitespace" | "prefix" | "suffix" | "case" | "truncated")[];
        /** @description The token is cut into this many records, each with a part of it */
        pieces?: number;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    ExpiredToken: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "expired_token";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        value: string;
        /**
         * Format: date-time
         * @description ISO 8601, UTC, milliseconds
         */
        claimEndedAt: string;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    ForeignToken: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "foreign_token";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        value: string;
        /** @description Another domain of this account, whose claim has the token */
        domain?: string;
        /** @description Other TXT values at that name; left out where there are none */
        others?: number;
      };
    };
    NoMatchingRecord: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "no_matching_record";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        values: string[];
        wildcard: boolean;
        /** @description The wildcard that answers there, as *.acme.com */
        wildcardName?: string;
      };
    };
    CnameConflict: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "cname_conflict";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        target: string;
        /** @description What stands in the zone; left out where it could not be told */
        record?: {
          /** @enum {string} */
          type: "CNAME" | "DNAME";
          name: string;
        };
      };
    };
    RecordAbsent: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "record_absent";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        answer: components["schemas"]["AbsentAnswer"];
        nearMiss: components["schemas"]["NearMiss"] | null;
        /** @description The wildcard that answers there, as *.acme.com */
        wildcardName?: string;
        /** @description The zone is delegated from `parent`, whose records do not count for it */
        delegated?: {
          zone: string;
          parent: string;
          nameservers: string[];
        };
      };
    };
    AbsentAnswer: components["schemas"]["NxdomainAnswer"] | components["schemas"]["NodataAnswer"];
    NxdomainAnswer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "nxdomain";
    };
    NodataAnswer: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "nodata";
      types: string[];
    };
    NearMiss: {
      /** @enum {string} */
      kind:
        | "ns_target"
        | "mx_target"
        | "spf_type"
        | "no_underscore"
        | "misspelled"
        | "quoted_host"
        | "host_doubled"
        | "domain_repeated"
        | "parent"
        | "zone_apex"
        | "between"
        | "token_as_host";
      name: string;
      /** @description Other TXT values at that name; left out where there are none */
      others?: number;
    };
    NotPublished: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "not_published";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        /** @description Those that answer without the record */
        nameservers: string[];
        /** @description Those that have it */
        publishedOn: string[];
        /**
         * @description A second check that finds the same, within five minutes, proves the claim
         * @constant
         */
        secondRead?: true;
        /** @description Those that gave no authoritative answer, and so say neither; left out where there are none */
        noAnswer?: components["schemas"]["FailedNameserver"][];
        serial: number | null;
        /** @description A nameserver without the record that never fetches the copy with it */
        stuck?: components["schemas"]["StuckCopy"];
        /**
         * @description The serial is that of the claim's first read, in a zone that was seen to move it with its records
         * @constant
         */
        unchanged?: true;
        /** @description Resolvers that get another answer than this service, longer than they may keep an old one */
        resolvers?: components["schemas"]["OtherAnswer"][];
        /** @description What the servers in `publishedOn` are, where they do not serve the zone */
        elsewhere?: components["schemas"]["Elsewhere"];
        /** @description The wildcard that answers there, as *.acme.com */
        wildcardName?: string;
        /** @description The zone is delegated from `parent`, whose records do not count for it */
        delegated?: {
          zone: string;
          parent: string;
          nameservers: string[];
        };
      };
    };
    FailedNameserver: {
      host: string;
      /** @enum {string} */
      result:
        | "timeout"
        | "refused"
        | "servfail"
        | "not_authoritative"
        | "no_address"
        | "blocked_address"
        | "malformed"
        | "tcp_refused"
        | "case_changed"
        | "too_large"
        | "is_alias"
        | "ipv6_only";
      /** @description Of a `too_large` answer: its length; over 16,384 is not read */
      bytes?: number;
      /** @description Of a `too_large` answer: how many records it says it holds */
      records?: number;
      /** @description Of an `is_alias` host: what its name is an alias of */
      target?: string;
    };
    StuckCopy: {
      host: string;
      serial: number;
      published: components["schemas"]["PublishedCopy"];
    };
    PublishedCopy: {
      host: string;
      serial: number;
    };
    OtherAnswer: {
      name: string;
      answer: components["schemas"]["ResolverAnswer"];
      /** @description The zone's nameservers as this resolver knows them, where it is delegated to none of them */
      nameservers?: string[];
    };
    ResolverAnswer:
      | components["schemas"]["ResolverNxdomain"]
      | components["schemas"]["ResolverNodata"]
      | components["schemas"]["ResolverAlias"]
      | components["schemas"]["ResolverValues"];
    ResolverNxdomain: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "nxdomain";
    };
    ResolverNodata: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "nodata";
    };
    ResolverAlias: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "alias";
      target: string;
    };
    ResolverValues: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "values";
      values: string[];
    };
    Elsewhere:
      | components["schemas"]["OnUnlistedServers"]
      | components["schemas"]["OnListedServersAlone"]
      | components["schemas"]["OnFormerServers"]
      | components["schemas"]["InParentZone"];
    OnUnlistedServers: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "unlisted";
      /** @description The zone above that delegates this one; left out where a registry does */
      parent?: string;
    };
    OnListedServersAlone: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "listed";
      /** @description The zone above that delegates this one; left out where a registry does */
      parent?: string;
    };
    OnFormerServers: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "former";
    };
    InParentZone: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "parent";
      zone: string;
      name: string;
    };
    NegativeCache: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "negative_cache";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        secondsRemaining: number;
        /** @enum {string} */
        held?: "nothing" | "earlier_token" | "other_values";
      };
    };
    Servfail: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "servfail";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        resolvers: string[];
        extendedErrors: {
          code: number;
          text: string;
        }[];
        fault?: components["schemas"]["ResolverFault"];
      };
    };
    /** @description Why resolvers fail, where it shows */
    ResolverFault:
      | components["schemas"]["ResolversCannotRead"]
      | components["schemas"]["UnsignedZone"]
      | components["schemas"]["DsWithoutKeys"]
      | components["schemas"]["DsMatchesNoKey"]
      | components["schemas"]["SignaturesExpired"]
      | components["schemas"]["SignaturesNotYetValid"]
      | components["schemas"]["SignaturesMissing"]
      | components["schemas"]["SignaturesInvalid"]
      | components["schemas"]["KeysUnanswered"]
      | components["schemas"]["DenialMissing"];
    ResolversCannotRead: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "unreachable";
    };
    UnsignedZone: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "unsigned";
      zone: string;
    };
    DsWithoutKeys: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "ds_without_keys";
      dsKeyTags: number[];
      zone: string;
      parent?: string;
      secondsRemembered: number;
    };
    DsMatchesNoKey: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "ds_matches_no_key";
      dsKeyTags: number[];
      keyTags: number[];
      zone: string;
      parent?: string;
      secondsRemembered: number;
    };
    SignaturesExpired: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "signatures_expired";
      zone: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      expiredAt: string;
    };
    SignaturesNotYetValid: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "signatures_not_yet_valid";
      zone: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      validFrom: string;
    };
    SignaturesMissing: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "signatures_missing";
      zone: string;
    };
    SignaturesInvalid: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "signatures_invalid";
      zone: string;
    };
    KeysUnanswered: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "keys_unanswered";
      zone: string;
    };
    DenialMissing: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "denial_missing";
      zone: string;
    };
    LameDelegation: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      code: "lame_delegation";
      cause: string;
      fix: string;
      awaits: components["schemas"]["Awaits"];
      observed: {
        nameservers: components["schemas"]["FailedNameserver"][];
        /** @description The zone above that delegates this one; left out where a registry does */
        parent?: string;
      };
    };
    WaitEstimate: {
      /** @enum {string} */
      reason: "first_check" | "negative_cache" | "nameserver_sync" | "retry";
      secondsRemaining: number;
      /** @description Of `nameserver_sync`: where the record is, and which servers are still expected to answer with it */
      observed?: components["schemas"]["Publication"];
    };
    Publication: {
      /** @description Those that answer without the record */
      nameservers: string[];
      /** @description Those that have it */
      publishedOn: string[];
      /**
       * @description A second check that finds the same, within five minutes, proves the claim
       * @constant
       */
      secondRead?: true;
      /** @description Those that gave no authoritative answer, and so say neither; left out where there are none */
      noAnswer?: components["schemas"]["FailedNameserver"][];
    };
    DomainCounts: {
      unclaimed: number;
      pending: number;
      proved: number;
      expired: number;
      canceled: number;
      archived: number;
    };
    Domain: {
      id: string;
      name: string;
      unicodeName: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      archived: boolean;
      /** @description The date of its newest proof, whatever claims came after it */
      lastProvedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
    };
    Claim: {
      id: string;
      domainId: string;
      domain: string;
      unicodeDomain: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      /** @enum {string} */
      state: "pending" | "proved" | "expired" | "canceled";
      token: string;
      records: components["schemas"]["Record"][];
      /** @description Where the record is typed; null until a read of the claim has told the zone */
      panel: components["schemas"]["Panel"] | null;
      verificationId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      expiresAt: string;
      endedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
    };
    ClaimList: {
      claims: components["schemas"]["ListedClaim"][];
      nextCursor: string | null;
    };
    ListedClaim: {
      id: string;
      domainId: string;
      domain: string;
      unicodeDomain: string;
      /** @description The account's own id of whom the domain is for; null for none */
      reference: string | null;
      /** @enum {string} */
      state: "pending" | "proved" | "expired" | "canceled";
      token: string;
      records: components["schemas"]["Record"][];
      /** @description Where the record is typed; null until a read of the claim has told the zone */
      panel: components["schemas"]["Panel"] | null;
      verificationId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      expiresAt: string;
      endedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      diagnosis: components["schemas"]["Diagnosis"] | null;
      waitEstimate: components["schemas"]["WaitEstimate"] | null;
    };
    Verification: {
      id: string;
      claimId: string;
      /** @constant */
      method: "dns_txt";
      /** @enum {string} */
      status: "checking" | "propagating" | "needs_attention" | "proved" | "exhausted" | "stopped";
      lastOutcome: ("found" | "absent" | "unresolvable") | null;
      diagnosis: components["schemas"]["Diagnosis"] | null;
      waitEstimate: components["schemas"]["WaitEstimate"] | null;
      /** @description Null where the diagnosis does not turn on the delegation, or nothing is known */
      registry: components["schemas"]["Registry"] | null;
      lastRunAt: string | null;
      nextRunAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      deadline: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
    };
    /** @description What the registry said over RDAP */
    Registry: {
      /** @description The registered name, at or above the domain */
      name: string;
      /** @description False if the registry does not know the name */
      registered: boolean;
      /** @description As in RFC 8056 */
      statuses: (
        | "active"
        | "add period"
        | "associated"
        | "auto renew period"
        | "client delete prohibited"
        | "client hold"
        | "client renew prohibited"
        | "client transfer prohibited"
        | "client update prohibited"
        | "inactive"
        | "pending create"
        | "pending delete"
        | "pending renew"
        | "pending restore"
        | "pending transfer"
        | "pending update"
        | "redemption period"
        | "renew period"
        | "server delete prohibited"
        | "server hold"
        | "server renew prohibited"
        | "server transfer prohibited"
        | "server update prohibited"
        | "transfer period"
      )[];
      expiresAt: string | null;
      /** @description Those set at the registry; null if it did not say */
      nameservers: string[] | null;
      /** @description Whether a DS record is set; null if it did not say */
      delegationSigned: boolean | null;
      /** @description How this explains the diagnosis; null if it does not */
      cause: string | null;
      /** @description What to do in place of the diagnosis's `fix`; null if that holds */
      fix: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      askedAt: string;
    };
    Attempt: {
      id: string;
      /** @enum {string} */
      trigger: "first_check" | "scheduled" | "requested" | "deadline";
      /** @enum {string} */
      outcome: "found" | "absent" | "unresolvable";
      diagnosis: components["schemas"]["Diagnosis"] | null;
      latencyMs: number | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      at: string;
    };
    Handoff: {
      slug: string;
      url: string;
      claimId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the claim, and the page with it, ends at latest
       */
      expiresAt: string;
    };
    RevokedHandoff: {
      slug: string;
      url: string;
      claimId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the claim, and the page with it, ends at latest
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      revokedAt: string;
    };
    SharedRecord: {
      domain: string;
      unicodeDomain: string;
      /** @description In the asker's words */
      title: string | null;
      /** @description Whom the record is for, in the asker's words */
      requestedFor: string | null;
      /** @description The asker's address: masked, unless they let the page show it */
      askedBy: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      askedAt: string;
      record: components["schemas"]["Record"];
      panel: components["schemas"]["Panel"] | null;
      /** @enum {string} */
      status: "checking" | "propagating" | "needs_attention" | "proved" | "exhausted" | "stopped";
      diagnosis: components["schemas"]["Diagnosis"] | null;
      waitEstimate: components["schemas"]["WaitEstimate"] | null;
      lastRunAt: string | null;
      nextRunAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      expiresAt: string;
      back: components["schemas"]["WayBack"] | null;
    };
    ProofLink: {
      slug: string;
      url: string;
      domain: string;
      unicodeDomain: string;
      heldBy: string;
      token: string;
      challengeHost: string;
      provider: string | null;
      /** @description What the nameservers said at that moment; null where that is not known any more */
      nameservers: components["schemas"]["ProofNameservers"] | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      provedAt: string;
      claimId: string;
      /** @enum {string} */
      standing: "live" | "revoked";
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      issuedAt: string;
      revokedAt: string | null;
    };
    ProofNameservers: {
      /** @description Nameservers the zone is delegated to */
      delegated: number;
      /** @description Those that answered for the zone */
      answered: number;
      /** @description Those whose answer held the token */
      holding: number;
    };
    PublishedProof: {
      slug: string;
      url: string;
      domain: string;
      unicodeDomain: string;
      heldBy: string;
      token: string;
      challengeHost: string;
      provider: string | null;
      /** @description What the nameservers said at that moment; null where that is not known any more */
      nameservers: components["schemas"]["ProofNameservers"] | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      provedAt: string;
      recency: components["schemas"]["Recency"];
    };
    Recency: components["schemas"]["LatestProof"] | components["schemas"]["EarlierProof"];
    LatestProof: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "latest";
    };
    EarlierProof: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: "earlier";
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      latestProvedAt: string;
    };
    Receipt: {
      /** @constant */
      format: "deed-receipt/1";
      /** @description A compact JWS (RFC 7515) */
      statement: string;
      /** @description Null unless the statement says `secure` */
      dnssec: components["schemas"]["ReceiptChain"] | null;
      /** @description A C2SP tlog-proof */
      log: string | null;
    };
    ReceiptChain: {
      /** @description Base64 */
      chain: string;
    };
    Opening: {
      /** @description 16 octets, base64url */
      opening: string;
    };
    /** @description What a read saw; its members may grow */
    Evidence: {
      [key: string]: unknown;
    };
    Watch: {
      claimId: string;
      /**
       * @description `published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: the zone's nameservers are all others; `gone`: the registry lists none
       * @enum {string}
       */
      state: "published" | "missing" | "lapsed" | "moved" | "gone";
      /**
       * Format: date-time
       * @description The last read that found it; at first the proof
       */
      seenAt: string;
      /** @description Null while it is `published` */
      missingSince: string | null;
      /** @description The last read with a definite result, outages left out; null before the first */
      checkedAt: string | null;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      startedAt: string;
    };
    ProofWatch: {
      domain: string;
      /**
       * @description `published`: last seen at `seenAt`; `missing`: two reads at least six hours apart did not find it; `lapsed`: missing for seven days; `moved`: the zone's nameservers are all others; `gone`: the registry lists none
       * @enum {string}
       */
      state: "published" | "missing" | "lapsed" | "moved" | "gone";
      /**
       * Format: date-time
       * @description The last read that found it; at first the proof
       */
      seenAt: string;
      /** @description Null while it is `published` */
      missingSince: string | null;
      /** @description The last read with a definite result, outages left out; null before the first */
      checkedAt: string | null;
    };
    NoticeList: {
      notices: components["schemas"]["Notice"][];
      nextCursor: string | null;
    };
    Notice: {
      id: string;
      /** @enum {string} */
      kind:
        | "proved"
        | "nudge"
        | "expiring"
        | "expired"
        | "coexistence"
        | "missing"
        | "lapsed"
        | "moved"
        | "gone";
      domainId: string;
      claimId: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC, milliseconds
       */
      createdAt: string;
      readAt: string | null;
    };
    /** @description What moved, and the ids it concerns. No state. */
    AccountEvent: {
      /** @enum {string} */
      type:
        | "verification.ran"
        | "claim.opened"
        | "claim.ended"
        | "domain.archived"
        | "domain.unarchived"
        | "domain.created"
        | "domain.deleted"
        | "proof_link.issued"
        | "proof_link.revoked"
        | "notice.created";
    } & {
      [key: string]: string;
    };
    /** @description What moved meanwhile is not known: read the lists again. */
    StreamReset: {
      /** @constant */
      type: "reset";
    };
    Health: {
      /**
       * @description degraded: it serves but proves nothing, because its clock is not confirmed, or because its cluster has no primary, so that it writes nothing either; failing: it cannot serve
       * @enum {string}
       */
      status: "ok" | "degraded" | "failing";
      /** @description Why status is not ok */
      reason:
        | ("shutting_down" | "database" | "superseded" | "worker" | "no_primary" | "clock")
        | null;
      version?: string;
      /**
       * @description single: the only node; orphan: a replica that has lost its primary
       * @enum {string}
       */
      role?: "single" | "primary" | "replica" | "orphan";
      /** @description Newest transaction of this node's copy, in hex; null on a single node */
      position?: string | null;
      /** @description When the primary of this node's copy was promoted, in epoch milliseconds; null on a single node */
      term?: number | null;
      /** @description Milliseconds since a replica last heard of its primary */
      lagMs?: number | null;
      /**
       * @description Whether the database takes writes, tried at most every 5 s; on a replica, whether its copy can be read. gone: its files were removed, renamed or replaced, and nothing is written until a restart
       * @enum {string}
       */
      database?: "ok" | "failing" | "gone";
      /** @enum {string} */
      worker?: "running" | "stopped";
      /** @description Whether the system clock is confirmed; until then nothing is read, dated or expired, and waitingFor says what for */
      clock?: {
        trusted: boolean;
        waitingFor: string | null;
      };
      /**
       * @description From the last reads; unknown where there was none in 15 minutes
       * @enum {string}
       */
      dns?: "ok" | "failing" | "unknown";
      /**
       * @description From the last mail; unknown before the first since the start
       * @enum {string}
       */
      mail?: "ok" | "failing" | "unknown";
    };
    Liveness: {
      /** @constant */
      status: "ok";
    };
    Readiness: {
      /**
       * @description degraded: it serves but proves nothing, because its clock is not confirmed, or because its cluster has no primary, so that it writes nothing either; failing: it cannot serve
       * @enum {string}
       */
      status: "ok" | "degraded" | "failing";
      /** @description Why status is not ok */
      reason:
        | ("shutting_down" | "database" | "superseded" | "worker" | "no_primary" | "clock")
        | null;
    };
    VerificationRanMessage: {
      /** @constant */
      type: "verification.ran";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        verification: components["schemas"]["Verification"];
      };
    };
    ClaimOpenedMessage: {
      /** @constant */
      type: "claim.opened";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
      };
    };
    ClaimEndedMessage: {
      /** @constant */
      type: "claim.ended";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
      };
    };
    ClaimProvedMessage: {
      /** @constant */
      type: "claim.proved";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
      };
    };
    ClaimExpiredMessage: {
      /** @constant */
      type: "claim.expired";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
      };
    };
    ClaimNeedsAttentionMessage: {
      /** @constant */
      type: "claim.needs_attention";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        verification: components["schemas"]["Verification"];
      };
    };
    DomainCreatedMessage: {
      /** @constant */
      type: "domain.created";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        domain: components["schemas"]["Domain"];
      };
    };
    DomainArchivedMessage: {
      /** @constant */
      type: "domain.archived";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        domain: components["schemas"]["Domain"];
      };
    };
    DomainUnarchivedMessage: {
      /** @constant */
      type: "domain.unarchived";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        domain: components["schemas"]["Domain"];
      };
    };
    DomainDeletedMessage: {
      /** @constant */
      type: "domain.deleted";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        domain: {
          id: string;
        };
      };
    };
    ProofLinkIssuedMessage: {
      /** @constant */
      type: "proof_link.issued";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        proofLink: components["schemas"]["ProofLink"];
      };
    };
    ProofLinkRevokedMessage: {
      /** @constant */
      type: "proof_link.revoked";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        proofLink: components["schemas"]["ProofLink"];
      };
    };
    NoticeCreatedMessage: {
      /** @constant */
      type: "notice.created";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        notice: components["schemas"]["Notice"];
      };
    };
    HandoffOpenedMessage: {
      /** @constant */
      type: "handoff.opened";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        handoff: components["schemas"]["Handoff"];
      };
    };
    WatchPublishedMessage: {
      /** @constant */
      type: "watch.published";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        watch: components["schemas"]["Watch"];
      };
    };
    WatchMissingMessage: {
      /** @constant */
      type: "watch.missing";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        watch: components["schemas"]["Watch"];
      };
    };
    WatchLapsedMessage: {
      /** @constant */
      type: "watch.lapsed";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        watch: components["schemas"]["Watch"];
      };
    };
    WatchMovedMessage: {
      /** @constant */
      type: "watch.moved";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        watch: components["schemas"]["Watch"];
      };
    };
    WatchGoneMessage: {
      /** @constant */
      type: "watch.gone";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        claim: components["schemas"]["Claim"];
        watch: components["schemas"]["Watch"];
      };
    };
    WebhookTestMessage: {
      /** @constant */
      type: "webhook.test";
      /**
       * Format: date-time
       * @description When it happened: ISO 8601, UTC, milliseconds
       */
      timestamp: string;
      data: {
        webhook: {
          id: string;
        };
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getZonesName: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An event stream: delegation, publishing */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  getDomains: {
    parameters: {
      query?: {
        name?: string;
        keepWww?: boolean;
        reference?: string;
        q?: string;
        status?: "unclaimed" | "pending" | "proved" | "expired" | "canceled";
        archived?: boolean;
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DomainList"];
        };
      };
    };
  };
  postDomains: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A domain name, 1 to 253 characters */
          domain: string;
          /** @description Your own id of whom the domain is for: 1 to 200 visible characters, without a space at either end, compared exactly */
          reference?: string;
          /** @description Keep the `www.` of `www.acme.com`, which is removed otherwise */
          keepWww?: boolean;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AddedDomain"];
        };
      };
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AddedDomain"];
        };
      };
    };
  };
  getDomainsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
    };
  };
  deleteDomainsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  postDomainsIdArchive: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
    };
  };
  postDomainsIdUnarchive: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
    };
  };
  getClaims: {
    parameters: {
      query?: {
        domainId?: string;
        reference?: string;
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClaimList"];
        };
      };
    };
  };
  postClaims: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          domainId: string;
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Claim"];
        };
      };
    };
  };
  getClaimsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ClaimDetail"];
        };
      };
    };
  };
  postClaimsIdCancel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Claim"];
        };
      };
    };
  };
  getVerificationsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Verification"];
        };
      };
    };
  };
  postVerificationsIdRuns: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Verification"];
        };
      };
    };
  };
  getVerificationsIdAttempts: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            attempts: components["schemas"]["Attempt"][];
          };
        };
      };
    };
  };
  postClaimsIdHandoff: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Whether the page shows the account's address whole. A new page does not unless this is true */
          showAddress?: boolean;
          /** @description What the page is headed with; null for none */
          title?: string | null;
          /** @description Whom the record is for, as your customer knows them; null for nobody in particular */
          requestedFor?: string | null;
          /** @description Where the page leads back to, under a registered origin; null for nowhere. The outcome is added to its query, signed, and has its parameter `state` */
          returnUrl?: string | null;
        };
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Handoff"];
        };
      };
    };
  };
  postClaimsIdHandoffRevoke: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RevokedHandoff"];
        };
      };
    };
  };
  getHandoffsSlug: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SharedRecord"];
        };
      };
    };
  };
  getClaimsIdProofLinks: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            links: components["schemas"]["ProofLink"][];
          };
        };
      };
    };
  };
  postClaimsIdProofLinks: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProofLink"];
        };
      };
    };
  };
  postClaimsIdProofLinksSlugRevoke: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProofLink"];
        };
      };
    };
  };
  getProofsSlug: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PublishedProof"];
        };
      };
    };
  };
  getProofsSlugReceipt: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier answer */
        "If-None-Match"?: string;
      };
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Receipt"];
        };
      };
      /** @description No content */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getClaimsIdReceipt: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Receipt"];
        };
      };
    };
  };
  getClaimsIdOpening: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Opening"];
        };
      };
    };
  };
  getClaimsIdEvidence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Evidence"];
        };
      };
    };
  };
  getClaimsIdWatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Watch"];
        };
      };
    };
  };
  putClaimsIdWatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Watch"];
        };
      };
    };
  };
  deleteClaimsIdWatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description No content */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getProofsSlugWatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProofWatch"];
        };
      };
    };
  };
  getNotices: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NoticeList"];
        };
      };
    };
  };
  postNoticesIdRead: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Notice"];
        };
      };
    };
  };
  getEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Id of the last message received. */
        "Last-Event-ID"?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An event stream: message, reset */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  getAuthOidc: {
    parameters: {
      query?: {
        callbackPath?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Elsewhere */
      302: {
        headers: {
          Location: string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getAuthOidcCallback: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Elsewhere */
      302: {
        headers: {
          Location: string;
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
    };
  };
  getHealthLive: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Liveness"];
        };
      };
    };
  };
  getHealthReady: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Readiness"];
        };
      };
    };
  };
  getOpenapiJson: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            /** @constant */
            openapi: "3.1.0";
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
}
