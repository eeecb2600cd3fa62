/// The colours of a page's pictures, as rules of its second style sheet: a page's policy forbids style attributes.
///
/// Class names are derived from the colours, so that they agree between a page and the pages loaded into it.
struct PagePaint: Hashable, Sendable {
    private var rules: [String: String] = [:]
    private var order: [String] = []
    /// The page's own colours; `nil` for the site's.
    var accent: AccentColours?

    /// - Parameter colours: From top to bottom, as `#rrggbb`; a single one for a plain background.
    /// - Returns: The class; `nil` without colours, or if one is malformed.
    mutating func add(_ colours: [String]) -> String? {
        let checked = colours.compactMap { SRGBColour($0)?.description }
        guard !checked.isEmpty, checked.count == colours.count else { return nil }
        let list = checked.joined(separator: ",")
        let name = "p" + String(Self.digest(list), radix: 36)
        self.put(checked.count > 1 ? "linear-gradient(\(list))" : list, of: name)
        return name
    }

    /// Adds colours for a fixed class of the template, such as `paint-hero`.
    mutating func add(_ colours: [String], named name: String) {
        let checked = colours.compactMap { SRGBColour($0)?.description }
        guard !checked.isEmpty else { return }
        self.put(checked.count > 1 ? "linear-gradient(\(checked.joined(separator: ",")))" : checked[0], of: name)
    }

    mutating func add(_ other: PagePaint) {
        for name in other.order { self.put(other.rules[name] ?? "", of: name) }
    }

    private mutating func put(_ background: String, of name: String) {
        if self.rules.updateValue(background, forKey: name) == nil { self.order.append(name) }
    }

    var css: String {
        (self.accent?.css ?? "") + self.order.map { ".\($0){background:\(self.rules[$0] ?? "none")}" }.joined()
    }

    /// FNV-1a, 32 bits.
    static func digest(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
