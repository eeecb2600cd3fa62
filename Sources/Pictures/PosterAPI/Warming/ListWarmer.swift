import Flights
package import PosterPipeline

/// Renders the posters of a served list in advance, at the most frequent recent render targets.
///
/// A new list cancels the previous one of the same kind. The work has background priority, after all work that requests
/// wait for.
package final class ListWarmer: Sendable {
    /// The number of render targets per poster.
    static let targetLimit = 3
    static let posterLimit = 50
    static let listLimit = 8

    private let warmer: Warmer
    private let targets: FrequentRenderTargets
    private let runs = BackgroundTasks<ServedList.Kind, [PosterID]>(
        limit: ListWarmer.listLimit, overflow: .cancelsOldest, priority: .background)

    /// - Parameter warmer: Bounds how much is rendered at once per list; best not shared with other work.
    package init(warmer: Warmer, targets: FrequentRenderTargets) {
        self.warmer = warmer
        self.targets = targets
    }

    package var listCount: Int { self.runs.count }

    /// Starts rendering a list's posters; returns at once.
    package func listServed(_ list: ServedList) {
        let targets = self.targets.top(Self.targetLimit)
        let requests = self.warmer.missing(
            list.posters.prefix(Self.posterLimit).flatMap { id in
                targets.map { PosterRequest(id: id, rendition: .variant($0)) }
            })
        let warmer = self.warmer
        let run: @Sendable () async -> Void = {
            do {
                // A later request for the poster reports the error.
                _ = try await warmer.run(requests) { _ in }
            } catch {
                // Superseded, or the service is stopping.
            }
        }
        self.runs.start(list.posters, for: list.kind, requests.isEmpty ? nil : run)
    }

    /// Cancels all lists in progress and ignores later ones.
    package func close() {
        self.runs.close()
    }
}

/// A list of films just served to a client.
package struct ServedList: Hashable, Sendable {
    /// Identifies lists that supersede each other, such as the pages of one list for one client.
    package struct Kind: Hashable, Sendable {
        /// For example the path.
        package let name: String
        package let client: String

        package init(name: String, client: String) {
            self.name = name
            self.client = client
        }
    }

    package let kind: Kind
    package let posters: [PosterID]

    package init(kind: Kind, posters: [PosterID]) {
        self.kind = kind
        self.posters = posters
    }
}
