/// The elements of a page's HTML, as far as tests look at them: start tags with their attributes, and headings with their texts.
struct HTMLOutline {
    struct Element: Hashable {
        let name: String
        let attributes: [String: String]

        subscript(attribute: String) -> String? { self.attributes[attribute] }
    }

    let elements: [Element]
    /// Level and text of each, in order.
    let headings: [(level: Int, text: String)]

    init(_ html: String) {
        self.elements = html.matches(of: /<([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/).map { match in
            let pairs = match.output.2.matches(of: /([a-z-]+)(?:="([^"]*)")?/).map {
                (String($0.output.1), $0.output.2.map(String.init) ?? "")
            }
            return Element(name: String(match.output.1), attributes: Dictionary(pairs) { first, _ in first })
        }
        self.headings = html.matches(of: /<h([1-6])[^>]*>(.*?)<\/h[1-6]>/).map { match in
            (Int(match.output.1) ?? 0, String(match.output.2.replacing(/<[^>]*>/, with: "")))
        }
    }

    func all(_ name: String) -> [Element] { self.elements.filter { $0.name == name } }

    /// The addresses that links lead to.
    var links: [String] { self.all("a").compactMap { $0["href"] } }

    /// Whether there is one heading of the first level, and none skips a level.
    var isOrdered: Bool {
        let levels = self.headings.map(\.level)
        return levels.count { $0 == 1 } == 1 && zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }
    }

    /// Ids that stand on the page more than once.
    var repeatedIDs: [String] {
        var seen: Set<String> = []
        return self.elements.compactMap { $0["id"] }.filter { !seen.insert($0).inserted }
    }

    /// Ids that something refers to and that are not there.
    var danglingReferences: [String] {
        let ids = Set(self.elements.compactMap { $0["id"] })
        let references = self.elements.flatMap { element in
            ["aria-labelledby", "aria-describedby", "for"].compactMap { element[$0] }
        }
        return references.filter { !ids.contains($0) }
    }
}
