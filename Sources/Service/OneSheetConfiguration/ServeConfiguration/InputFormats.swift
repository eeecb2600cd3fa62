import PosterCodec

/// The setting `--input-formats`: the formats of originals that are decoded.
enum InputFormats {
    /// All names, separated by commas.
    static let names = ImageFormat.decoded.map(\.name).joined(separator: ", ")

    /// - Returns: `nil` if the option is not set.
    /// - Throws: ``SettingError``.
    static func read(_ settings: Settings) throws -> [ImageFormat]? {
        try settings.value("input-formats", allowed: "any of \(self.names), each once, separated by commas") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            let formats = parts.compactMap { part in ImageFormat.decoded.first { $0.name == part } }
            return formats.count == parts.count && Set(formats).count == formats.count ? formats : nil
        }
    }
}
