import PosterCodec
package import PosterPipeline

/// Checks the contract of `OriginalStore`, starting with an empty store; its clock must be after 2020.
///
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of store: some OriginalStore) async throws -> [String] {
    var contract = OriginalStoreContract(
        store: store, id: try PosterID(source: "mine", key: "a/b"), here: .web(url: "http://a.test/1"))
    try await contract.checkWhatIsNotSeen()
    try await contract.checkWhatIsKept()
    try await contract.checkFreshness()
    try await contract.checkRemoval()
    return contract.broken
}

private struct OriginalStoreContract<Store: OriginalStore> {
    let store: Store
    let id: PosterID
    let here: OriginalLocation
    let bytes = TestPicture.jpeg(width: 60, height: 90, seed: 1)
    let validators = Validators(etag: "\"1\"", lastModified: "Sat, 04 Mar 1922 20:00:00 GMT")
    let freshness = Freshness(validatedAt: 1_500_000_000, lifetime: 60)
    var broken: [String] = []

    mutating func check(_ isKept: Bool, _ promise: String) { if !isKept { self.broken.append(promise) } }

    private func read() async throws -> StoredOriginal? { try await self.store.original(self.id, from: self.here) }

    private func draft(_ bytes: [UInt8]) async throws -> any OriginalDraft {
        let draft = try await self.store.makeDraft(for: self.id, from: self.here)
        _ = bytes.withUnsafeBytes { draft.append($0) }
        return draft
    }

    private func commit(_ draft: any OriginalDraft, declaredLength: Int? = nil) async throws -> StoredOriginal {
        try await draft.commit(
            validators: self.validators, freshness: self.freshness, declaredLength: declaredLength)
    }

    mutating func checkWhatIsNotSeen() async throws {
        self.check(try await self.read() == nil, "an empty store has nothing")
        let abandoned = try await self.draft(self.bytes)
        self.check(try await self.read() == nil, "a draft is not seen before it is committed")
        await abandoned.discard()
        self.check(try await self.read() == nil, "a discarded draft is never seen")

        let truncated = try await self.draft(self.bytes.dropLast(40))
        do {
            _ = try await self.commit(truncated)
            self.check(false, "a truncated picture is not committed")
        } catch {
            self.check(error as? PosterError == PosterError(CodecError.truncated), "and is named: \(error)")
        }
        await truncated.discard()

        let short = try await self.draft(self.bytes)
        do {
            _ = try await self.commit(short, declaredLength: self.bytes.count + 1)
            self.check(false, "a length other than declared is not committed")
        } catch {
            guard case .badOriginal? = error as? PosterError else { return self.check(false, "and is named: \(error)") }
        }
        await short.discard()
        self.check(try await self.read() == nil, "and leaves nothing")
    }

    mutating func checkWhatIsKept() async throws {
        let draft = try await self.draft(TestPicture.jpeg(width: 200, height: 90, seed: 3))
        self.check(draft.restart(), "a draft begins again")
        for start in stride(from: 0, to: self.bytes.count, by: 100) {
            let part = self.bytes[start..<min(start + 100, self.bytes.count)]
            self.check(part.withUnsafeBytes { draft.append($0) }, "a draft takes bytes in pieces")
        }
        let committed = try await self.commit(draft, declaredLength: self.bytes.count)
        await draft.discard()
        let read = try await self.read()
        self.check(committed.isStored && read?.isStored == true, "what was committed is stored")
        self.check(
            try committed.original.bytes.withUnsafeBytes { Array($0) } == self.bytes,
            "commit gives the bytes back, without those of before a restart")
        self.check(
            try read?.original.bytes.withUnsafeBytes { Array($0) } == self.bytes,
            "what was committed is read, also when it is discarded later")
        self.check(
            read?.original.digest == committed.original.digest && read?.original.header == committed.original.header,
            "with the same digest and header")
        self.check(read?.validators == self.validators, "with its validators")
        self.check(
            read?.freshness == self.freshness && committed.freshness == self.freshness, "and with its freshness")
        self.check(
            try await self.store.original(self.id, from: .web(url: "http://b.test/1")) == nil,
            "but not for another location")
    }

    mutating func checkFreshness() async throws {
        guard let original = try await self.read()?.original else { return self.check(false, "it is still there") }
        let later = Freshness(validatedAt: 1_500_000_500, lifetime: 7)
        let newer = Validators(etag: "\"2\"")
        await self.store.refresh(
            self.id, digest: Digest(of: "another"), validators: newer, freshness: later)
        self.check(try await self.read()?.freshness == self.freshness, "refreshing another digest changes nothing")
        await self.store.refresh(self.id, digest: original.digest, validators: newer, freshness: later)
        let read = try await self.read()
        self.check(read?.freshness == later && read?.validators == newer, "refreshing moves freshness and validators")
        self.check(
            try read?.original.digest == original.digest
                && read?.original.bytes.withUnsafeBytes { Array($0) } == self.bytes,
            "and nothing else")
    }

    mutating func checkRemoval() async throws {
        guard let first = try await self.read()?.original else { return self.check(false, "it is still there") }
        let second = try await self.draft(TestPicture.jpeg(width: 60, height: 90, seed: 2))
        let replaced = try await self.commit(second).original
        self.check(try await self.read()?.freshness == self.freshness, "a new original has its own freshness")
        self.check(
            try first.bytes.withUnsafeBytes { Array($0) } == self.bytes,
            "bytes that are held do not change when replaced")
        await self.store.remove(self.id, digest: first.digest)
        self.check(
            try await self.read()?.original.digest == replaced.digest, "removing an old digest keeps a new original")
        await self.store.remove(self.id, digest: replaced.digest)
        self.check(try await self.read() == nil, "removing removes")

        let third = try await self.draft(self.bytes)
        _ = try await self.commit(third)
        self.check(try await self.store.purge(self.id), "purging says that there was something")
        self.check(try await self.read() == nil, "purging removes whatever there is")
        self.check(try await self.store.purge(self.id) == false, "and says that there is nothing")
    }
}
