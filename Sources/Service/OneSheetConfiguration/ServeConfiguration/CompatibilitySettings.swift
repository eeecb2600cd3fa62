package import MovieCompatibility

/// The enabled APIs of other services, and the file with their clients' keys.
package struct CompatibilitySettings: Sendable {
    /// Without duplicates, in the order of the enum's cases.
    package var apis: [CompatibleAPI]
    /// The path of the file; `nil` accepts any key.
    package var keysFile: String?

    private static let all = "all"

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
        // An absent option enables all, "off" none.
        self.apis = apis.map { $0 ?? [] } ?? CompatibleAPI.allCases
        self.keysFile = settings.text("compat-keys-file")
    }

    /// Reads the file of keys.
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
