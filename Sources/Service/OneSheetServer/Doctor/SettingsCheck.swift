import EmbeddedCatalogue
import MovieWeb
import OneSheetConfiguration

/// Reads the files that options name, and the program's own files, as `serve` does at its start.
struct SettingsCheck {
    static let name = "settings"

    let settings: Settings
    let configuration: ServeConfiguration

    var check: ServiceCheck {
        ServiceCheck(Self.name) {
            let (faults, warnings) = try await Blocking.run { (self.faults, self.unknownVariables) }
            guard faults.isEmpty else { return faults + warnings }
            return [CheckResult(.ok, "", "All options are valid, and all files that they need can be read.")] + warnings
        }
    }

    private var faults: [CheckResult] {
        var errors = self.configuration.fileFaults()
        do { _ = try CatalogueResource() } catch { errors.append(error) }
        if self.configuration.servesWeb {
            do { _ = try WebFiles() } catch { errors.append(error) }
        }
        return errors.map { error in
            let placed = (error as? SettingError).map { "\($0.placed(in: self.settings))" }
            return CheckResult(.failure, "", "\(placed ?? "\(error)").")
        }
    }

    private var unknownVariables: [CheckResult] {
        let unknown = self.settings.unknownVariables(known: Set(SettingDescription.all.map(\.name)))
        return unknown.prefix(PosterServer.namedVariables).map { name, nearest in
            let hint = nearest.map { ", perhaps \($0)" } ?? ""
            return CheckResult(.warning, name, "No option has this variable: correct its name\(hint), or remove it.")
        }
    }
}
