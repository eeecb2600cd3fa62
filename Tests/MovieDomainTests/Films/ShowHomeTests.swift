import Flights
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ShowHomeTests {
    @Test func listsAreRequestedConcurrentlyAndReturnedInOrder() async throws {
        let gate = Gate()
        let catalogue = ScriptedCatalogue(gate: gate)
        let home = Task { try await ShowHome(catalogue: catalogue)(language: LanguagePreference()) }
        try await eventually { gate.waiterCount >= MovieList.allCases.count }
        gate.open()
        let sections = try await home.value
        #expect(sections.map(\.list) == MovieList.allCases)
    }

    @Test func aCancelledCallLeavesNothing() async throws {
        let gate = Gate()
        let catalogue = ScriptedCatalogue(gate: gate)
        let home = Task { try await ShowHome(catalogue: catalogue)(language: LanguagePreference()) }
        try await eventually { gate.waiterCount >= MovieList.allCases.count }
        home.cancel()
        await #expect(throws: CancellationError.self) { _ = try await home.value }
        #expect(gate.waiterCount == 0)
    }

    @Test func allListsAreOfTheRegion() async throws {
        let catalogue = ScriptedCatalogue()
        _ = try await ShowHome(catalogue: catalogue)(language: LanguagePreference(), region: .korea)
        #expect(catalogue.regions == MovieList.allCases.map { _ in .korea })
    }

    @Test func oneMayFailAloneButNotAll() async throws {
        let catalogue = ScriptedCatalogue()
        catalogue.fail(.list(.popular), with: .tooSlow(.tmdb))
        let show = ShowHome(catalogue: catalogue)
        let failed = try await show(language: LanguagePreference()).filter { section in
            if case .failure = section.movies { true } else { false }
        }
        #expect(failed.map(\.list) == [.popular])
        for list in MovieList.allCases { catalogue.fail(.list(list), with: .keyRefused(.tmdb)) }
        await #expect(throws: SourceFailure.keyRefused(.tmdb)) {
            _ = try await show(language: LanguagePreference())
        }
    }
}
