/// Writes a document as XML: members become elements in their order; `item` names an array's elements.
struct DocumentXML {
    private static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    /// Maps an array's name to the name of its elements.
    let item: (_ list: String) -> String

    func bytes(_ document: OrderedJSON) -> [UInt8] { Array((Self.declaration + self.elements(document)).utf8) }

    /// The document without the XML declaration.
    func elements(_ document: OrderedJSON) -> String {
        var text = ""
        self.append(document, name: "", to: &text)
        return text
    }

    private func append(_ value: OrderedJSON, name: String, to text: inout String) {
        switch value {
        case .object(let members):
            for member in members { self.appendElement(member.value, name: member.name, to: &text) }
        case .array(let elements):
            for element in elements { self.appendElement(element, name: self.item(name), to: &text) }
        case .string(let string): text += Self.escape(string)
        case .integer(let number): text += String(number)
        case .number(let number): text += String(number)
        case .boolean(let value): text += value ? "true" : "false"
        case .null: break
        }
    }

    private func appendElement(_ value: OrderedJSON, name: String, to text: inout String) {
        text += "<\(name)>"
        self.append(value, name: name, to: &text)
        text += "</\(name)>"
    }

    /// Escapes text, and drops characters that XML 1.0 does not allow.
    static func escape(_ string: String) -> String {
        var text = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n", "\r": text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
