/// The elements of a page, as far as tests need them.
struct HTMLOutline {
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The text of the element and its descendants, with collapsed white space and unresolved entities.
        fileprivate(set) var text = ""

        subscript(name: String) -> String? { self.attributes[name] }
    }

    private static let void: Set<String> = ["br", "hr", "img", "input", "link", "meta"]
    /// Elements with content that is not markup.
    private static let raw: Set<String> = ["style", "script", "title"]

    private(set) var elements: [Element] = []
    /// Errors in the markup or the structure.
    private(set) var complaints: [String] = []

    init(_ html: String) {
        var open: [Int] = []
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            self.add(rest[..<start], to: open)
            rest = rest[start...]
            guard let end = Self.end(of: rest) else {
                self.complaints.append("a tag has no end: \(rest.prefix(40))")
                break
            }
            let tag = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("!") { continue }
            if tag.hasPrefix("/") {
                let name = tag.dropFirst().lowercased()
                guard let last = open.last, self.elements[last].name == name else {
                    self.complaints.append("</\(name)> closes \(open.last.map { self.elements[$0].name } ?? "nothing")")
                    continue
                }
                open.removeLast()
                continue
            }
            let element = Self.element(tag, &self.complaints)
            self.elements.append(element)
            if Self.void.contains(element.name) || tag.hasSuffix("/") { continue }
            open.append(self.elements.count - 1)
            if Self.raw.contains(element.name), let close = rest.firstRange(of: "</\(element.name)") {
                self.add(rest[..<close.lowerBound], to: open)
                rest = rest[close.lowerBound...]
            }
        }
        if !open.isEmpty { self.complaints.append("\(open.map { self.elements[$0].name }) are not closed") }
        self.checkStructure()
    }

    func all(_ name: String, where condition: (Element) -> Bool = { _ in true }) -> [Element] {
        self.elements.filter { $0.name == name && condition($0) }
    }

    func first(_ name: String, where condition: (Element) -> Bool = { _ in true }) -> Element? {
        self.elements.first { $0.name == name && condition($0) }
    }

    func first(withID id: String) -> Element? { self.elements.first { $0["id"] == id } }

    var links: [String] { self.all("a").compactMap { $0["href"] } }

    // MARK: Reading

    private mutating func add(_ text: Substring, to open: [Int]) {
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        guard !words.isEmpty else { return }
        for place in open { self.elements[place].text += (self.elements[place].text.isEmpty ? "" : " ") + words }
    }

    /// The `>` that ends a tag, outside quotation marks.
    private static func end(of tag: Substring) -> Substring.Index? {
        var quote: Unicode.Scalar?
        for place in tag.unicodeScalars.indices {
            let scalar = tag.unicodeScalars[place]
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == ">" {
                return place
            }
        }
        return nil
    }

    private static func element(_ tag: Substring, _ complaints: inout [String]) -> Element {
        let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
        var attributes: [String: String] = [:]
        for match in tag.dropFirst(name.count).matches(of: /([A-Za-z][-A-Za-z]*)(?:="([^"]*)")?/) {
            let key = String(match.output.1)
            if attributes.updateValue(match.output.2.map(String.init) ?? "", forKey: key) != nil {
                complaints.append("<\(name)> has \(key) twice")
            }
            if key == "style" || key.hasPrefix("on") { complaints.append("<\(name)> has \(key)") }
        }
        return Element(name: name.lowercased(), attributes: attributes)
    }

    private mutating func checkStructure() {
        let ids = self.elements.compactMap { $0["id"] }
        let known = Set(ids)
        if known.count != ids.count { self.complaints.append("ids are there twice: \(ids.sorted())") }
        if self.all("h1").count != 1 { self.complaints.append("there are \(self.all("h1").count) headings of level 1") }
        for element in self.elements {
            for reference in ["aria-labelledby", "for"] {
                for id in element[reference]?.split(separator: " ").map(String.init) ?? [] where !known.contains(id) {
                    self.complaints.append("\(reference) names \(id), which is not there")
                }
            }
            if element.name == "img", ["alt", "width", "height", "src"].contains(where: { element[$0] == nil }) {
                self.complaints.append("a picture lacks something: \(element.attributes)")
            }
            if element.name == "button" || element.name == "a", element.text.isEmpty, element["aria-label"] == nil {
                self.complaints.append("<\(element.name)> has no name: \(element.attributes)")
            }
        }
    }
}

extension HTMLOutline {
    var headings: [(level: Int, text: String)] {
        self.elements.compactMap { element in
            guard element.name.utf8.count == 2, element.name.hasPrefix("h"), let level = Int(element.name.dropFirst())
            else { return nil }
            return (level, element.text)
        }
    }

    /// Whether there is exactly one first-level heading, and no level is skipped.
    var isOrdered: Bool {
        let levels = self.headings.map(\.level)
        return levels.count { $0 == 1 } == 1 && zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }
    }

    var repeatedIDs: [String] {
        var seen: Set<String> = []
        return self.elements.compactMap { $0["id"] }.filter { !seen.insert($0).inserted }
    }

    var danglingReferences: [String] {
        let ids = Set(self.elements.compactMap { $0["id"] })
        let references = self.elements.flatMap { element in
            ["aria-labelledby", "aria-describedby", "for"].compactMap { element[$0] }
        }
        return references.filter { !ids.contains($0) }
    }
}
