/// A page of a bucket's object list (`ListObjectsV2`).
package struct BucketPage: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var key: String
        /// Size in bytes.
        package var size: Int
    }

    package var entries: [Entry] = []
    /// Token of the next page; `nil` for the last page.
    package var continuation: String?

    /// A last page without objects.
    static let empty = BucketPage(entries: [], continuation: nil)

    /// Maximum number of objects of a page; also S3's limit.
    static let entryLimit = 1000
    /// Maximum size of the document, in bytes: a key has at most 1024, and an entry some 300 more.
    static let byteLimit = 4 << 20

    private init(entries: [Entry], continuation: String?) {
        (self.entries, self.continuation) = (entries, continuation)
    }

    /// Returns the objects below a prefix, with the prefix removed from their keys.
    func below(_ prefix: String) -> BucketPage {
        let entries = self.entries.filter { $0.key.hasPrefix(prefix) }.map { entry in
            Entry(key: String(entry.key.dropFirst(prefix.count)), size: entry.size)
        }
        return BucketPage(entries: entries, continuation: self.continuation)
    }

    /// Parses a `ListBucketResult` document.
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
                        throw XMLReader.Malformed(reason: "it is not a list of objects")
                    }
                    self.entries.append(Entry(key: key, size: size))
                case ["ListBucketResult"]: break
                case let path where path.count == 1: throw XMLReader.Malformed(reason: "it is not a list of objects")
                default: break
                }
                path.removeLast()
                text = ""
            }
        }
        guard !isTruncated || token?.isEmpty == false else {
            throw XMLReader.Malformed(reason: "it has no continuation token")
        }
        self.continuation = isTruncated ? token : nil
    }
}

/// S3's error document.
struct ErrorDocument: Hashable {
    /// Error code such as `NoSuchKey`; empty if the document has none or is malformed.
    let code: String

    /// Maximum length of a code, in bytes.
    private static let codeLimit = 64

    /// - Parameter document: May be truncated after the code.
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
            // A proxy's page, for example: the status code has to suffice.
        }
        let isName = code.utf8.allSatisfy { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        self.code = isName && code.utf8.count <= Self.codeLimit ? code : ""
    }
}
