package import FoundationEssentials

extension JSONEncoder {
    /// An encoder whose output depends on the value alone: sorted keys, and slashes as they are. Equal values give equal bytes.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
