import HTTPSemantics
import NIOCore

@testable import PosterCodec
@testable import PosterOrigins
@testable import PosterPipeline

extension FuzzTarget {
    /// Files of the data folder and objects of the shared store, with valid checksums; the first byte chooses the kind.
    static let files = FuzzTarget(
        "files",
        words: [
            "\"id\":", "\"location\":", "\"digest\":", "\"length\":", "\"etag\":", "\"lastModified\":",
            "\"fetchedAt\":", "\"validatedAt\":",
            "\"lifetime\":", "\"format\":", "\"width\":", "\"codec\":", "\"encoding\":", "9223372036854775807",
            "-9223372036854775808", "1e99",
            "null", "{", "}", "[", ",", "\"", "jpeg", "webp", digest, ".variant", "-", "x-amz-meta-version\n1\n",
            "x-amz-meta-length\n",
        ],
        seeds: {
            let header = OriginalFileHeader(
                id: "a", location: "http://a/b", digest: digest, length: 5, etag: "\"x\"",
                lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
                fetchedAt: 1_700_000_000, validatedAt: 1_700_000_000, lifetime: 3600, format: "jpeg", width: 60,
                height: 90)
            let text = Array((header.encoded() ?? []).dropFirst(14).prefix { $0 != 0 })
            let object = OriginalObject(header, validators: header.validators, freshness: header.freshness)
            let fields = (object?.fields ?? []).map { "x-amz-meta-\($0.name)\n\($0.value)\n" }.joined()
            let names = ["0123456789abcdef", "0", "0", "1"].map {
                String(repeating: "0", count: 16 - $0.utf8.count) + $0
            }
            let variant =
                #"{"codec":"\#(CodecVersion.version(of: .jpeg))","cpuMicroseconds":5,"encoding":0,"fingerprint":"0","format":"jpeg","#
                + #""height":9,"id":"a","length":4,"name":"x","original":"\#(digest)","tag":"\#(digest.prefix(32))","width":6}"#
            return [
                [0] + text, [1] + Array(variant.utf8) + Array("\nabcd".utf8), [2] + Array(fields.utf8),
                [3] + Array("\(names.joined(separator: "-"))-89abcdef-0-5-10.variant".utf8),
                [4] + Array("\(digest.prefix(2))/\(digest).original".utf8), [5] + text,
            ]
        }
    ) { bytes in
        var input = FuzzInput(bytes)
        switch input.number(below: 6) {
        case 0: original(text: input.rest())
        case 1:
            let text = input.line()
            variant(text: text, picture: input.rest())
        case 2:
            var fields: [String: String] = [:]
            while !input.isEmpty {
                let (name, value) = (input.line(), input.line())
                // Responses have no other names.
                guard FieldSyntax.isToken(String(decoding: name, as: UTF8.self)) else { continue }
                fields[String(decoding: name, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            }
            if let object = OriginalObject(fields: fields) { inspect(object) }
        case 3:
            // The longest name of a file.
            let text = String(decoding: input.take(255), as: UTF8.self)
            guard let name = VariantFileName(text) else { return }
            check(name.text == text, "a variant's name has two spellings")
            check(name.worth.isFinite && name.space >= name.length, "a variant's worth or space is impossible")
        case 4:
            let text = input.text()
            guard let digest = OriginalObject.id(ofKey: text) else { return }
            check(OriginalObject.key(of: digest) == text, "an object's key has two spellings")
        default:
            // Raw, most often without a valid checksum.
            let raw = input.rest()
            _ = raw.withUnsafeBytes { OriginalFileHeader($0) }
            _ = try? VariantFile(raw)
        }
    }

    private static let digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

    private static func original(text: [UInt8]) {
        var bytes = Array("ONESHEET".utf8) + [1, 0] + (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
        bytes += text.prefix(OriginalFileHeader.length - 32 - bytes.count)
        bytes += [UInt8](repeating: 0, count: OriginalFileHeader.length - 32 - bytes.count)
        bytes += bytes.withUnsafeBytes { Digest(of: $0).bytes }
        guard let header = bytes.withUnsafeBytes({ OriginalFileHeader($0) }) else { return }
        if let again = header.encoded() {
            let read = again.withUnsafeBytes { OriginalFileHeader($0) }
            check(read == header, "a header is not read back")
        }
        inspect(header.freshness)
        _ = header.validators
        guard let key = Digest(hexadecimal: digest) else { return }
        if let row = OriginalRow(header, key: key, lastUsed: 0), row.header.length >= 0 { _ = row.space }
        guard let object = OriginalObject(header, validators: header.validators, freshness: header.freshness) else {
            return
        }
        let fields = object.fields.map { ("x-amz-meta-\($0.name)", $0.value) }
        check(fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count } <= 3072, "an object's fields are too long")
        if let read = OriginalObject(fields: Dictionary(fields) { $1 }) { inspect(read) }
    }

    private static func inspect(_ object: OriginalObject) {
        inspect(object.freshness)
        let fields = object.fields
        for (name, value) in fields {
            check(value.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(name) is not ASCII")
        }
        let again = OriginalObject(fields: Dictionary(fields.map { ("x-amz-meta-\($0.name)", $0.value) }) { $1 })
        check(
            again == object || again?.id.hasPrefix("sha256:") == true || again?.location.hasPrefix("sha256:") == true
                || again.map { $0.validators == object.validators } == false, "an object is not read back")
    }

    private static func inspect(_ freshness: Freshness) {
        for now in [0, 1_700_000_000] as [Int64] {
            _ = (freshness.staleness(at: now), freshness.isFresh(at: now), freshness.age(at: now))
            check(freshness.settled(at: now).validatedAt <= now, "a validation is in the future")
        }
    }

    private static func variant(text: [UInt8], picture: [UInt8]) {
        var bytes = Array("OSVARIAN".utf8) + [UInt8(VariantFileName.format & 255), UInt8(VariantFileName.format >> 8)]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text + picture
        bytes += bytes.withUnsafeBytes { Digest(of: $0).bytes }
        guard let file = try? VariantFile(bytes) else { return }
        check(file.bytes.readableBytes == picture.count, "a variant has another length")
        guard let again = try? VariantFile.bytes(file.header, file.bytes), let read = try? VariantFile(again) else {
            return check(false, "a variant is not read back")
        }
        check(read.header == file.header && read.bytes == file.bytes, "a variant is read back differently")
        let owner = (try? PosterID(file.header.id)).map { VariantOwner($0, digest: Digest(of: "x")) }
        guard let owner, let id = VariantID("0123456789abcdef") else { return }
        let name = VariantFileName(file.header, id: id, owner: owner, length: again.count)
        check(VariantFileName(name.text) == name, "a variant's name is not read back")
    }
}
