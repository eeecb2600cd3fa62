import PosterCodec

/// The setting `--input-formats`: the formats of originals that are decoded.
enum InputFormats {
    /// The decoded formats by the names in the option.
    private static let formats = ImageFormat.decoded.map { (name: Self.name($0), format: $0) }

    /// All names, separated by commas.
    static let names = Self.formats.map(\.name).joined(separator: ", ")

    /// - Returns: `nil` if the option is not set.
    /// - Throws: ``SettingError``.
    static func read(_ settings: Settings) throws -> [ImageFormat]? {
        try settings.value("input-formats", allowed: "any of \(self.names), each once, separated by commas") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            let formats = parts.compactMap { part in self.formats.first { $0.name == part }?.format }
            return formats.count == parts.count && Set(formats).count == formats.count ? formats : nil
        }
    }

    private static func name(_ format: ImageFormat) -> String {
        format == .jpegXL ? "jxl" : format.rawValue.lowercased()
    }
}
