import HTTPSemantics

/// The URL of a page on another site, as stated by a source of films.
struct OuterLink: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// - Returns: `nil` unless the text is a URL of HTTP or HTTPS.
    init?(_ text: String) {
        do throws(RemoteURL.Malformed) {
            self.description = try RemoteURL(text).text
        } catch {
            return nil
        }
    }
}

extension String {
    /// The trimmed lines, without blank ones.
    var paragraphs: [String] {
        self.split(whereSeparator: \.isNewline).compactMap { line in
            var line = line.drop(while: \.isWhitespace)
            while line.last?.isWhitespace == true { line.removeLast() }
            return line.isEmpty ? nil : String(line)
        }
    }
}
