import ArgumentParser
import Configuration
import Foundation
import Synchronization
import Testing

@testable import OneSheetConfiguration

/// Options are declared, passed on, read and described in different places; none must be missing.
struct SettingDescriptionTests {
    @Test func everyDeclaredOptionIsHandedOver() throws {
        let arguments = SettingDescription.all.flatMap { ["--\($0.name)"] + ($0.isFlag ? [] : ["x"]) }
        let given = try ServeOptions.parse(arguments).given
        for option in SettingDescription.all {
            #expect(given[option.name] == [option.isFlag ? "true" : "x"], "add --\(option.name) to 'given'")
        }
        #expect(given.count == SettingDescription.all.count)
    }

    @Test func everyDeclaredOptionIsReadAndNoOther() throws {
        let accesses = Accesses()
        _ = try ServeConfiguration(try Settings.layered([:], environment: [:], accesses: accesses))
        let declared = Set(SettingDescription.all.map(\.name))
        #expect(accesses.names == declared, "ServeConfiguration must read what ServeOptions declares")
    }

    @Test func theDefaultThatTheHelpNamesIsTheOneInForce() throws {
        let inForce = Self.dump(try ServeConfiguration(Settings([:], environment: [:])))
        for option in SettingDescription.all {
            // Skips defaults in words, such as "one per core".
            guard let text = option.defaultText?.prefix(while: { $0 != "," }), !text.contains(" ") else { continue }
            let given = try ServeConfiguration(Settings([option.name: [String(text)]], environment: [:]))
            #expect(Self.dump(given) == inForce, "--\(option.name) \(text) is not what holds without it")
        }
    }

    @Test func everyOptionSaysWhatItMeans() {
        for option in SettingDescription.all {
            #expect(option.meaning.count >= 10, "--\(option.name)")
            #expect(!option.meaning.contains("Default:"), "--\(option.name)")
        }
        #expect(Set(SettingDescription.all.map(\.name)).count == SettingDescription.all.count)
    }

    @Test func whatIsSecretOrReloadableIsAnOption() {
        let declared = Set(SettingDescription.all.map(\.name))
        #expect(declared.isSuperset(of: SettingDescription.secret))
        for part in ReloadablePart.allCases { #expect(declared.isSuperset(of: part.options), "\(part)") }
    }

    private static func dump(_ configuration: ServeConfiguration) -> String {
        var text = ""
        Swift.dump(configuration, to: &text)
        return text
    }

    private final class Accesses: AccessReporter {
        private let state = Mutex<Set<String>>([])

        var names: Set<String> { self.state.withLock { $0 } }

        func report(_ event: AccessEvent) {
            guard let name = event.metadata.key.components.last else { return }
            self.state.withLock { _ = $0.insert(name) }
        }
    }
}
