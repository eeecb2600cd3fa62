package import FoundationEssentials

extension JSONEncoder {
    /// An encoder with a deterministic output: keys are sorted, slashes are not escaped. Equal values give equal bytes.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
