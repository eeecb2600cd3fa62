import HTTPSemantics

/// A path and query of this site, to which a form returns.
struct ReturnPath: Hashable, Sendable, CustomStringConvertible {
    private static let lengthLimit = 2048
    /// The name of the parameter in pages that return to a path.
    static let parameter = "return"

    static let home = ReturnPath(checked: "/")

    let description: String

    /// - Returns: `nil` for text that browsers might interpret as the address of another site.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.lengthLimit).contains(bytes.count), bytes[0] == UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            bytes.count == 1 || bytes[1] != UInt8(ascii: "/")
        else { return nil }
        self.description = text
    }

    private init(checked: String) { self.description = checked }

    /// The decoded value of a query parameter.
    func parameter(_ name: String) -> String? {
        let target = RequestTarget(String(self.description.prefix { $0 != "#" }))
        return (try? target.parameters(plusIsSpace: true))?.first { $0.name == name }?.value
    }

    /// Adds a parameter to the query, before a fragment.
    ///
    /// - Parameter value: Must not need percent-encoding.
    func adding(_ name: String, _ value: String) -> ReturnPath {
        let end = self.description.firstIndex(of: "#") ?? self.description.endIndex
        let start = self.description[..<end]
        return ReturnPath(
            checked: "\(start)\(start.contains("?") ? "&" : "?")\(name)=\(value)\(self.description[end...])")
    }
}
