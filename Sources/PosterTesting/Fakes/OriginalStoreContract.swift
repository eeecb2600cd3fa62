import PosterCodec
public import PosterPipeline

/// What every `OriginalStore` promises, to be run against an empty one.
///
/// - Returns: What is broken, in sentences; empty when nothing is.
public func brokenPromises(of store: some OriginalStore) async throws -> [String] {
    var broken: [String] = []
    func check(_ isKept: Bool, _ promise: String) { if !isKept { broken.append(promise) } }

    let id = try PosterID(source: "mine", key: "a/b")
    let here = OriginalLocation.web(url: "http://a.test/1")
    let bytes = TestPicture.jpeg(width: 60, height: 90, seed: 1)
    check(try await store.original(id, from: here) == nil, "an empty store has nothing")

    let abandoned = try await store.makeDraft(for: id, from: here)
    _ = bytes.withUnsafeBytes { abandoned.append($0) }
    check(try await store.original(id, from: here) == nil, "a draft is not seen before it is committed")
    await abandoned.discard()
    check(try await store.original(id, from: here) == nil, "a discarded draft is never seen")

    let broken1 = try await store.makeDraft(for: id, from: here)
    _ = bytes.dropLast(40).withUnsafeBytes { broken1.append($0) }
    do {
        _ = try await broken1.commit(OriginDescription())
        check(false, "a truncated picture is not committed")
    } catch {
        check(
            error as? PosterError == PosterError(CodecError.truncated),
            "and is named: \(error)")
    }
    await broken1.discard()
    check(try await store.original(id, from: here) == nil, "and leaves nothing")

    let draft = try await store.makeDraft(for: id, from: here)
    for start in stride(from: 0, to: bytes.count, by: 100) {
        let part = bytes[start..<min(start + 100, bytes.count)]
        check(part.withUnsafeBytes { draft.append($0) }, "a draft takes bytes in pieces")
    }
    let committed = try await draft.commit(OriginDescription(etag: "\"1\""))
    let read = try await store.original(id, from: here)
    check(committed.bytes.withUnsafeBytes { Array($0) } == bytes, "commit gives the bytes back")
    check(read?.bytes.withUnsafeBytes { Array($0) } == bytes, "what was committed is read")
    check(read?.digest == committed.digest && read?.header == committed.header, "with the same digest and header")
    check(try await store.original(id, from: .web(url: "http://b.test/1")) == nil, "but not for another location")

    let newer = TestPicture.jpeg(width: 60, height: 90, seed: 2)
    let second = try await store.makeDraft(for: id, from: here)
    _ = newer.withUnsafeBytes { second.append($0) }
    let replaced = try await second.commit(OriginDescription())
    check(committed.bytes.withUnsafeBytes { Array($0) } == bytes, "bytes that are held do not change when replaced")
    await store.remove(id, digest: committed.digest)
    check(
        try await store.original(id, from: here)?.digest == replaced.digest, "removing an old digest keeps a new file")
    await store.remove(id, digest: replaced.digest)
    check(try await store.original(id, from: here) == nil, "removing removes")
    return broken
}
