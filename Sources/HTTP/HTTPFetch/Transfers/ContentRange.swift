/// `Content-Range: bytes 0-4/10`.
struct ContentRange: Hashable, Sendable {
    let start: Int
    let end: Int
    /// nil when the origin does not know it.
    let completeLength: Int?

    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let start = Int(bounds[0]), let end = Int(bounds[1]), start <= end else { return nil }
        let length = Int(parts[1])
        guard length != nil || parts[1] == "*", length.map({ $0 > end }) ?? true else { return nil }
        self.start = start
        self.end = end
        self.completeLength = length
    }
}
