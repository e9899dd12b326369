// Reads what Deed's log serves, and makes what Deed's verifier reads, with the libraries of the Go checksum database
// and of transparency-dev. Each command reads JSON from standard input and writes JSON to standard output.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/transparency-dev/formats/log"
	tlogproof "github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	commands := map[string]func([]byte) (any, error){"monitor": monitor, "verify": verify, "make": makeTree, "receipt": receipt}
	input, err := io.ReadAll(os.Stdin)
	check(err)
	result, err := commands[os.Args[1]](input)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func get(url, contentType string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("%s: %s", url, response.Status)
	}
	if got := response.Header.Get("Content-Type"); err == nil && got != contentType {
		err = fmt.Errorf("%s has type %s", url, got)
	}
	return body, err
}

// parse checks a checkpoint by two parsers.
func parse(text []byte, vkey string) (tlog.Tree, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return tlog.Tree{}, err
	}
	parsed, rest, _, err := log.ParseCheckpoint(text, verifier.Name(), verifier)
	if err != nil {
		return tlog.Tree{}, fmt.Errorf("checkpoint %q: %w", text, err)
	}
	if len(rest) > 0 {
		return tlog.Tree{}, fmt.Errorf("extension lines %q", rest)
	}
	root, err := tlog.ParseHash(base64.StdEncoding.EncodeToString(parsed.Hash))
	return tlog.Tree{N: int64(parsed.Size), Hash: root}, err
}

// tiles reads C2SP tlog-tiles, whose paths lack the height.
type tiles struct{ prefix string }

func (tiles) Height() int                          { return 8 }
func (tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(wanted))
	for i, tile := range wanted {
		body, err := get(t.prefix+"/tile/"+tile.Path()[len("tile/8/"):], "application/octet-stream")
		if err != nil {
			return nil, err
		}
		read[i] = body
	}
	return read, nil
}

// bundle reads a bundle of entries.
func (t tiles) bundle(n int64, width int) ([][]byte, error) {
	tile := tlog.Tile{H: 8, L: -1, N: n, W: width}
	body, err := get(t.prefix+"/tile/entries/"+tile.Path()[len("tile/8/data/"):], "application/octet-stream")
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(body) > 0 {
		if len(body) < 2 || len(body) < 2+int(binary.BigEndian.Uint16(body)) {
			return nil, fmt.Errorf("bundle %d is cut off", n)
		}
		length := 2 + int(binary.BigEndian.Uint16(body))
		entries = append(entries, body[2:length])
		body = body[length:]
	}
	if len(entries) != width {
		return nil, fmt.Errorf("bundle %d has %d entries, not %d", n, len(entries), width)
	}
	return entries, nil
}

// monitor reads a log whole, and checks every entry against the tiles, and every earlier checkpoint for consistency.
func monitor(input []byte) (any, error) {
	var given struct {
		Prefix, Vkey string
		Earlier      []string
		Proofs       int64
	}
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	text, err := get(given.Prefix+"/checkpoint", "text/plain; charset=utf-8")
	if err != nil {
		return nil, err
	}
	tree, err := parse(text, given.Vkey)
	if err != nil {
		return nil, err
	}
	log := tiles{given.Prefix}
	hashes := tlog.TileHashReader(tree, log)
	entries := []string{}
	for start := int64(0); start < tree.N; start += 256 {
		bundle, err := log.bundle(start/256, int(min(256, tree.N-start)))
		if err != nil {
			return nil, err
		}
		var indexes []int64
		for i := range bundle {
			indexes = append(indexes, tlog.StoredHashIndex(0, start+int64(i)))
		}
		leaves, err := hashes.ReadHashes(indexes)
		if err != nil {
			return nil, err
		}
		for i, entry := range bundle {
			if leaves[i] != tlog.RecordHash(entry) {
				return nil, fmt.Errorf("entry %d is not in its tile", start+int64(i))
			}
			entries = append(entries, hex.EncodeToString(entry))
		}
	}
	proved := 0
	for n := int64(0); n < min(given.Proofs, tree.N); n++ {
		path, err := tlog.ProveRecord(tree.N, n, hashes)
		if err != nil {
			return nil, err
		}
		entry, _ := hex.DecodeString(entries[n])
		if err := tlog.CheckRecord(path, tree.N, tree.Hash, n, tlog.RecordHash(entry)); err != nil {
			return nil, err
		}
		proved++
	}
	consistent := 0
	for _, one := range given.Earlier {
		before, err := parse([]byte(one), given.Vkey)
		if err != nil {
			return nil, err
		}
		if before.N > tree.N {
			return nil, fmt.Errorf("a checkpoint of %d entries was followed by one of %d", before.N, tree.N)
		}
		if before.N > 0 {
			path, err := tlog.ProveTree(tree.N, before.N, hashes)
			if err != nil {
				return nil, err
			}
			if err := tlog.CheckTree(path, tree.N, tree.Hash, before.N, before.Hash); err != nil {
				return nil, fmt.Errorf("the checkpoints of %d and %d entries differ: %w", before.N, tree.N, err)
			}
		}
		consistent++
	}
	return map[string]any{"size": tree.N, "entries": entries, "proved": proved, "consistent": consistent}, nil
}

// verify checks tlog-proofs with transparency-dev's verifier.
func verify(input []byte) (any, error) {
	var given []struct{ Vkey, Proof, Entry string }
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	for _, one := range given {
		var read tlogproof.TLogProof
		if err := read.Unmarshal([]byte(one.Proof)); err != nil {
			return nil, err
		}
		tree, err := parse(read.Checkpoint, one.Vkey)
		if err != nil {
			return nil, err
		}
		entry, err := hex.DecodeString(one.Entry)
		if err != nil {
			return nil, err
		}
		path := make([][]byte, len(read.Hashes))
		for i := range read.Hashes {
			path[i] = read.Hashes[i][:]
		}
		leaf := rfc6962.DefaultHasher.HashLeaf(entry)
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, read.Index, uint64(tree.N), leaf, path, tree.Hash[:]); err != nil {
			return nil, err
		}
		if !bytes.Equal(read.Marshal(), []byte(one.Proof)) {
			return nil, fmt.Errorf("a proof is written another way: %q", one.Proof)
		}
	}
	return len(given), nil
}

// makeTree signs a checkpoint of some entries, and proves each of them.
func makeTree(input []byte) (any, error) {
	var given struct {
		Name, Seed string
		Entries    []string
	}
	if err := json.Unmarshal(input, &given); err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(given.Seed)
	if err != nil {
		return nil, err
	}
	key := append([]byte{1}, ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)...)
	id := sha256.Sum256(append([]byte(given.Name+"\n"), key...))
	skey := fmt.Sprintf("PRIVATE+KEY+%s+%x+%s", given.Name, id[:4], base64.StdEncoding.EncodeToString(append([]byte{1}, seed...)))
	signer, err := note.NewSigner(skey)
	if err != nil {
		return nil, err
	}
	stored := tlog.HashReaderFunc(nil)
	var hashes []tlog.Hash
	stored = func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			found[i] = hashes[index]
		}
		return found, nil
	}
	for n, text := range given.Entries {
		entry, err := hex.DecodeString(text)
		if err != nil {
			return nil, err
		}
		added, err := tlog.StoredHashes(int64(n), entry, stored)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, added...)
	}
	size := int64(len(given.Entries))
	root, err := tlog.TreeHash(size, stored)
	if err != nil {
		return nil, err
	}
	body := log.Checkpoint{Origin: given.Name, Size: uint64(size), Hash: root[:]}
	checkpoint, err := note.Sign(&note.Note{Text: string(body.Marshal())}, signer)
	if err != nil {
		return nil, err
	}
	proofs := []string{}
	for n := int64(0); n < size; n++ {
		path, err := tlog.ProveRecord(size, n, stored)
		if err != nil {
			return nil, err
		}
		made := tlogproof.TLogProof{Index: uint64(n), Checkpoint: checkpoint}
		for _, hash := range path {
			made.Hashes = append(made.Hashes, hash)
		}
		proofs = append(proofs, string(made.Marshal()))
	}
	vkey := fmt.Sprintf("%s+%x+%s", given.Name, id[:4], base64.StdEncoding.EncodeToString(key))
	return map[string]any{"vkey": vkey, "checkpoint": string(checkpoint), "proofs": proofs}, nil
}
