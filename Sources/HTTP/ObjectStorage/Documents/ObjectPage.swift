/// A page of the list of a bucket's objects (`ListObjectsV2`).
package struct ObjectPage: Hashable, Sendable {
    /// An object of the list.
    package struct Entry: Hashable, Sendable {
        package var key: String
        /// In bytes.
        package var size: Int
    }

    package var entries: [Entry] = []
    /// For the next page; nil after the last.
    package var continuation: String?

    /// Without objects, and the last.
    static let empty = ObjectPage(entries: [], continuation: nil)

    /// The most objects of a page, which is also S3's limit.
    static let entryLimit = 1000
    /// The largest document, in bytes: keys have at most 1024, and some 300 are around them.
    static let byteLimit = 4 << 20

    private init(entries: [Entry], continuation: String?) {
        (self.entries, self.continuation) = (entries, continuation)
    }

    /// The objects whose keys begin with a prefix, which is left out.
    func below(_ prefix: String) -> ObjectPage {
        let entries = self.entries.filter { $0.key.hasPrefix(prefix) }.map { entry in
            Entry(key: String(entry.key.dropFirst(prefix.count)), size: entry.size)
        }
        return ObjectPage(entries: entries, continuation: self.continuation)
    }

    /// Reads `ListBucketResult`.
    init(document: [UInt8]) throws(XMLReader.Malformed) {
        self = .empty
        var reader = XMLReader(document)
        var path: [String] = []
        var (isTruncated, token, text) = (false, String?.none, "")
        var entry: (key: String?, size: Int?) = (nil, nil)
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                path.append(name)
                text = ""
                if path == ["ListBucketResult", "Contents"] { entry = (nil, nil) }
            case .text(let part): text += part
            case .end:
                switch path {
                case ["ListBucketResult", "IsTruncated"]: isTruncated = text == "true"
                case ["ListBucketResult", "NextContinuationToken"]: token = text
                case ["ListBucketResult", "Contents", "Key"]: entry.key = text
                case ["ListBucketResult", "Contents", "Size"]: entry.size = Int(text)
                case ["ListBucketResult", "Contents"]:
                    guard let key = entry.key, let size = entry.size, self.entries.count < Self.entryLimit else {
                        throw XMLReader.Malformed(reason: "it is no list of objects")
                    }
                    self.entries.append(Entry(key: key, size: size))
                case ["ListBucketResult"]: break
                case let path where path.count == 1: throw XMLReader.Malformed(reason: "it is no list of objects")
                default: break
                }
                path.removeLast()
                text = ""
            }
        }
        guard !isTruncated || token?.isEmpty == false else {
            throw XMLReader.Malformed(reason: "the rest of the list cannot be requested")
        }
        self.continuation = isTruncated ? token : nil
    }
}

/// The document of an error.
struct ErrorDocument: Hashable {
    /// Such as `NoSuchKey`; empty when the document has none, or is none.
    let code: String

    /// The longest code, in bytes.
    private static let codeLimit = 64

    /// - Parameter document: May be cut off behind the code.
    init(_ document: [UInt8]) {
        var reader = XMLReader(document)
        var (path, code): ([String], String) = ([], "")
        do throws(XMLReader.Malformed) {
            read: while let event = try reader.next() {
                switch event {
                case .start(let name): path.append(name)
                case .text(let text) where path == ["Error", "Code"]:
                    code = text
                    break read
                case .text: break
                case .end: path.removeLast()
                }
            }
        } catch {
            // A proxy's page, for instance: the status has to do.
        }
        let isName = code.utf8.allSatisfy { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        self.code = isName && code.utf8.count <= Self.codeLimit ? code : ""
    }
}
