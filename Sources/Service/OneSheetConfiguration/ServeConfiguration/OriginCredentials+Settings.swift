import PosterOrigins

extension OriginCredentials {
    /// Reads `NAME:Header: value`.
    ///
    /// - Parameter sources: The names that there are.
    /// - Throws: ``SettingError``, which never holds a value.
    init(_ texts: [String], sources: Set<String>) throws {
        self.init()
        let names = sources.isEmpty ? "" : ": " + sources.sorted().joined(separator: ", ")
        let form = "NAME:Header: value, where NAME is that of an --origin\(names)"
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            guard parts.count == 3, sources.contains(name) else {
                throw SettingError(option: "origin-header", value: SecretMask.mask, allowed: form)
            }
            let header = parts[1].drop { $0 == " " }
            let value = parts[2].drop { $0 == " " }
            guard self.add(name: String(header), value: String(value), to: name) else {
                throw SettingError(
                    option: "origin-header", value: "\(name):\(header.prefix(64)): \(value)",
                    allowed: "\(form); Header is a token and value holds no control characters")
            }
        }
    }
}
