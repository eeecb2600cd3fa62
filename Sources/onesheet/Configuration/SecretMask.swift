/// Hides what only the server and whom it is for may see.
enum SecretMask {
    static let mask = "***"

    /// The value as it can be shown.
    static func masked(_ value: String, of option: SettingDescription) -> String {
        switch option.name {
        // NAME:Header: value
        case "origin-header":
            let parts = value.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? "\(parts[0]):\(parts[1]): \(self.mask)" : self.mask
        // Some origins want their key in the query.
        case "origin": return self.withoutQuery(value)
        default: return option.isSecret ? self.mask : value
        }
    }

    private static func withoutQuery(_ value: String) -> String {
        guard let question = value.firstIndex(of: "?") else { return value }
        let fields = value[value.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = fields.map { field in
            guard let equals = field.firstIndex(of: "="), !field.contains("{") else { return String(field) }
            return field[...equals] + self.mask
        }
        return value[...question] + shown.joined(separator: "&")
    }
}
