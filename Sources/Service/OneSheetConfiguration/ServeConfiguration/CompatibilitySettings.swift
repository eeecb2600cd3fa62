import HTTPSemantics
package import MovieCompatibility
package import PosterAPI

/// The enabled APIs of other services, and the file with their clients' keys.
package struct CompatibilitySettings: Sendable {
    /// Without duplicates, in the order of the enum's cases.
    package var apis: [CompatibleAPI]
    /// The path of the file; `nil` accepts any key.
    package var keysFile: String?
    package var rpdb = RPDBController.Settings()

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
        self.rpdb.servesRoot = try settings.isOn("rpdb")
        self.rpdb.negotiates = try settings.isOn("rpdb-negotiate")
        self.rpdb.redirects = try settings.isOn("canonical-redirects")
        guard !self.rpdb.servesRoot || self.apis.contains(.rpdb) else {
            throw SettingError(option: "rpdb", value: "true", allowed: "only with rpdb in --compat")
        }
    }

    /// Reads the file of keys.
    ///
    /// - Throws: ``SettingError``.
    package func resources() throws -> CompatibilityResources.Settings {
        let apis = Set(self.apis)
        guard let keysFile else { return CompatibilityResources.Settings(apis: apis) }
        do throws(ClientKeys.Malformed) {
            let keys = try ClientKeys(contentsOf: keysFile)
            // Reports wrong settings of badges at the start; the sources do not matter.
            _ = try keys.badges(otherwise: [.imdb])
            return CompatibilityResources.Settings(apis: apis, keys: keys)
        } catch {
            throw SettingError(option: "compat-keys-file", value: keysFile, allowed: "a file with keys; \(error)")
        }
    }
}

extension ClientKeys {
    /// The badges of RPDB's keys.
    ///
    /// - Parameter sources: The sources of keys without a setting.
    package func badges(otherwise sources: [BadgeSource]) throws(Malformed) -> RPDBKeys {
        let values = try self.values { settings throws(Malformed) in
            do throws(Problem) {
                return try BadgeDefaults(settings.values, otherwise: sources)
            } catch {
                throw Malformed(line: settings.line, reason: "has a wrong setting: \(error.detail)")
            }
        }
        return RPDBKeys(areRequired: values.areRequired) { values[$0] }
    }
}
