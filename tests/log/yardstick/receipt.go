package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	tlogproof "github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// receipt checks statement and log of a receipt, as docs/receipts.md has them, and returns the claims.
func receipt(input []byte) (any, error) {
	var given struct {
		File struct{ Statement, Log string }
		Kid  string
	}
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	key, claims, err := openJws(given.File.Statement, given.Kid)
	if err != nil {
		return nil, err
	}
	var read tlogproof.TLogProof
	if err := read.Unmarshal([]byte(given.File.Log)); err != nil {
		return nil, err
	}
	origin, _, _ := strings.Cut(string(read.Checkpoint), "\n")
	vkey, err := note.NewEd25519VerifierKey(origin, key)
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, err
	}
	signed, err := note.Open(read.Checkpoint, note.VerifierList(verifier))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(signed.Text, "\n")
	var size int64
	if _, err := fmt.Sscan(lines[1], &size); err != nil {
		return nil, err
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return nil, err
	}
	var path tlog.RecordProof
	for _, hash := range read.Hashes {
		path = append(path, tlog.Hash(hash))
	}
	entry := sha256.Sum256([]byte(given.File.Statement))
	err = tlog.CheckRecord(path, size, root, int64(read.Index), tlog.RecordHash(entry[:]))
	return map[string]any{"claims": claims, "origin": origin, "index": read.Index, "size": size}, err
}

// openJws checks the signature of a compact JWS by the key in its header, which must have this thumbprint.
func openJws(jws, kid string) (ed25519.PublicKey, map[string]any, error) {
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		return nil, nil, fmt.Errorf("%d parts", len(parts))
	}
	var decoded [3][]byte
	for i, part := range parts {
		var err error
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return nil, nil, err
		}
	}
	var header struct {
		Alg, Kid, Typ string
		Jwk           struct{ Crv, Kty, X string }
	}
	if err := json.Unmarshal(decoded[0], &header); err != nil {
		return nil, nil, err
	}
	members := fmt.Sprintf(`{"crv":"Ed25519","kty":"OKP","x":"%s"}`, header.Jwk.X)
	thumbprint := sha256.Sum256([]byte(members))
	if base64.RawURLEncoding.EncodeToString(thumbprint[:]) != kid || header.Kid != kid {
		return nil, nil, fmt.Errorf("another key: %s", header.Kid)
	}
	key, err := base64.RawURLEncoding.Strict().DecodeString(header.Jwk.X)
	if err != nil {
		return nil, nil, err
	}
	if header.Alg != "EdDSA" || len(key) != ed25519.PublicKeySize ||
		!ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), decoded[2]) {
		return nil, nil, fmt.Errorf("the signature does not fit")
	}
	var claims map[string]any
	return key, claims, json.Unmarshal(decoded[1], &claims)
}
