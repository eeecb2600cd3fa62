import PosterPipeline

enum SecretMask {
    static let mask = "***"

    /// The value with secrets masked, whether it is valid or not.
    static func masked(_ value: String, option: String) -> String {
        switch option {
        // NAME:Header: value
        case "origin-header":
            let parts = value.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            // Other text may be the rest of a secret that was split at a comma.
            guard parts.count == 3, PosterID.isSourceName(String(parts[0])) else { return self.mask }
            return "\(parts[0]):\(parts[1]): \(self.mask)"
        case "origin":
            guard let equals = value.firstIndex(of: "="), PosterID.isSourceName(String(value[..<equals])) else {
                // Without a scheme it may be the rest of a query that was split at a comma.
                return value.contains("://") ? self.maskedURL(value) : self.mask
            }
            return value[...equals] + self.maskedURL(String(value[value.index(after: equals)...]))
        case "tmdb-images", "video-thumbnails", "allow-url", "public-url", "source-url", "originals-endpoint",
            "library", "redis":
            return self.maskedURL(value)
        default: return SettingDescription.secret.contains(option) ? self.mask : value
        }
    }

    /// Masks the user and the query's values.
    private static func maskedURL(_ value: String) -> String {
        let end = value.firstIndex { $0 == "?" || $0 == "#" } ?? value.endIndex
        let before = Self.withoutUser(value[..<end])
        guard end < value.endIndex else { return before }
        let fields = value[value.index(after: end)...].split(separator: "&", omittingEmptySubsequences: false)
        return before + String(value[end]) + fields.map(self.maskedField).joined(separator: "&")
    }

    /// Masks a field's value, except for placeholders of keys.
    private static func maskedField(_ field: Substring) -> String {
        let places = ["{key}", "{+key}"]
        if field.isEmpty || places.contains(String(field)) { return String(field) }
        guard let equals = field.firstIndex(of: "=") else { return self.mask }
        let (name, content) = (field[...equals], field[field.index(after: equals)...])
        guard let place = places.first(where: { content.contains($0) }) else { return name + self.mask }
        return name + (content == place ? "" : self.mask) + place
    }

    private static func withoutUser(_ text: Substring) -> String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let authority = text[start...].prefix { $0 != "/" }
        if let at = authority.lastIndex(of: "@") { return text[..<start] + self.mask + text[at...] }
        // Text between a host's colon and the slash that is not a port is a password with a slash or a question mark in
        // it.
        guard authority.first != "[", let colon = authority.firstIndex(of: ":"),
            !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
        else { return String(text) }
        return text[...colon] + self.mask
    }
}
