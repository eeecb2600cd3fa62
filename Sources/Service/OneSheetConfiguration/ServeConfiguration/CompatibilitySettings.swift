package import MovieCompatibility

/// Which APIs of other services there are; the keys of their clients are named by their file.
package struct CompatibilitySettings: Sendable {
    /// Each once, in the order of their cases.
    package var apis: [CompatibleAPI]
    /// nil accepts any key.
    package var keysFile: String?

    private static let all = "all"

    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        let names = CompatibleAPI.allCases.map(\.rawValue).joined(separator: ", ")
        let apis: [CompatibleAPI]?? = try settings.valueOrOff(
            "compat", allowed: "off, all, or any of \(names), separated by commas"
        ) { text in
            if text == Self.all { return CompatibleAPI.allCases }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let apis = parts.compactMap { CompatibleAPI(rawValue: String($0.drop { $0 == " " })) }
            return apis.count == parts.count ? CompatibleAPI.allCases.filter { apis.contains($0) } : nil
        }
        // Absent: all of them; off: none.
        self.apis = apis.map { $0 ?? [] } ?? CompatibleAPI.allCases
        self.keysFile = settings.text("compat-keys-file")
    }

    /// With the keys that the file contains now.
    ///
    /// - Throws: ``SettingError``.
    package func resources() throws -> CompatibilityResources.Settings {
        let apis = Set(self.apis)
        guard let keysFile else { return CompatibilityResources.Settings(apis: apis) }
        do throws(ClientKeys.Malformed) {
            return CompatibilityResources.Settings(apis: apis, keys: try ClientKeys(contentsOf: keysFile))
        } catch {
            throw SettingError(option: "compat-keys-file", value: keysFile, allowed: "a file with keys; \(error)")
        }
    }
}
