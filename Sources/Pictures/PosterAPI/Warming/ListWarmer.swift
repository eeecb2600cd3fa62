import Flights
public import PosterPipeline

/// Has the posters of a list that was just served ready, as clients asked for others lately.
///
/// Each list in turn takes the place of the one before it of the same kind: what was not made by then is not made. What is made comes after
/// everything that somebody waits for.
public final class ListWarmer: Sendable {
    /// How many of the renderings that were asked for lately are made of each poster.
    static let targetLimit = 3
    /// The most posters of a list.
    static let posterLimit = 50
    /// The most lists under way; the oldest makes room.
    static let listLimit = 8

    private let warmer: Warmer
    private let targets: FrequentTargets
    private let runs = BackgroundTasks<ServedList.Kind, [PosterID]>(
        limit: ListWarmer.listLimit, overflow: .cancelsOldest, priority: .background)

    /// - Parameters:
    ///   - warmer: One of its own would be best: it says how much is made at once for one list.
    ///   - targets: What clients asked for.
    public init(warmer: Warmer, targets: FrequentTargets) {
        self.warmer = warmer
        self.targets = targets
    }

    /// How many lists are under way.
    public var listCount: Int { self.runs.count }

    /// Takes a list's posters in; returns at once.
    public func listServed(_ list: ServedList) {
        let targets = self.targets.top(Self.targetLimit)
        let requests = self.warmer.missing(
            list.posters.prefix(Self.posterLimit).flatMap { id in
                targets.map { PosterRequest(id: id, rendition: .variant($0)) }
            })
        let warmer = self.warmer
        let run: @Sendable () async -> Void = {
            do {
                // A request for the poster is answered with the error that prevented it.
                _ = try await warmer.run(requests) { _ in }
            } catch {
                // Superseded, or the service stops.
            }
        }
        self.runs.start(list.posters, for: list.kind, requests.isEmpty ? nil : run)
    }

    /// Cancels what is under way, and starts nothing any more.
    public func close() {
        self.runs.close()
    }
}

/// A list that a client has just got.
public struct ServedList: Hashable, Sendable {
    /// What lists take the place of one another: the next page of the same one to the same client.
    public struct Kind: Hashable, Sendable {
        /// Such as the path.
        public let name: String
        /// Who got it.
        public let client: String

        /// A kind of lists.
        public init(name: String, client: String) {
            self.name = name
            self.client = client
        }
    }

    /// What takes its place.
    public let kind: Kind
    /// The posters that it shows, in its order.
    public let posters: [PosterID]

    /// A list that a client has just got.
    public init(kind: Kind, posters: [PosterID]) {
        self.kind = kind
        self.posters = posters
    }
}
