import HTTPSemantics

/// The address of a page of another site, as a source of films states it.
struct OuterLink: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// - Returns: nil for anything but a URL of HTTP or HTTPS.
    init?(_ text: String) {
        do throws(RemoteURL.Malformed) {
            self.description = try RemoteURL(text).text
        } catch {
            return nil
        }
    }
}

extension String {
    /// Its lines without white space at their ends, but those that are blank.
    var paragraphs: [String] {
        self.split(whereSeparator: \.isNewline).compactMap { line in
            var line = line.drop(while: \.isWhitespace)
            while line.last?.isWhitespace == true { line.removeLast() }
            return line.isEmpty ? nil : String(line)
        }
    }
}
