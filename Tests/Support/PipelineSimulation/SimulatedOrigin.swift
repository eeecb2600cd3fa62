import Flights
import PosterPipeline

/// An origin of a few posters that change, fail, stall and disappear. Used on one thread only.
final class SimulatedOrigin: OriginalSource, PosterLocator, @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    enum Health: CaseIterable {
        case sound
        case missing
        case refused
        case unavailable
        /// Sends less than it declares.
        case truncated
        /// Sends bytes of no picture.
        case damaged
    }

    private struct Poster {
        var health = Health.sound
        var version = 0
        /// Whether each fetch gets other bytes.
        var changesAlways = false
        /// When the origin last said that a version is the current one, in seconds.
        var confirmations: [Int: Int64] = [:]
        /// When the request of the latest confirmation arrived, in seconds: the state of the origin is from then.
        var arrivals: [Int: Int64] = [:]
        /// Every health so far.
        var healths: Set<Health> = [.sound]
    }

    private final class Fetch: @unchecked Sendable {
        var isCancelled = false
        let isInBackground: Bool

        init(isInBackground: Bool) {
            self.isInBackground = isInBackground
        }
    }

    private let machine: SimulatedMachine
    private var posters: [Poster]
    private var fetches: [Int: [Fetch]] = [:]
    private var isSettled = false
    /// Whether originals are decoded while they arrive.
    let areLong: Bool
    /// Descriptions of broken rules.
    private(set) var faults: [String] = []

    init(posterCount: Int, machine: SimulatedMachine) {
        self.machine = machine
        self.areLong = machine.chance(0.15)
        self.posters = (0..<posterCount).map { _ in Poster(changesAlways: machine.chance(0.5)) }
    }

    // MARK: Script

    /// The earliest version that a fetch from now on gets.
    func nextVersion(of poster: Int) -> Int {
        self.posters[poster].version + (self.posters[poster].changesAlways ? 1 : 0)
    }

    func publish(_ poster: Int) { self.posters[poster].version += 1 }

    func setHealth(_ health: Health, of poster: Int) {
        self.posters[poster].health = health
        self.posters[poster].healths.insert(health)
    }

    /// Ends all faults.
    func settle() {
        self.isSettled = true
        for index in self.posters.indices { self.posters[index].health = .sound }
    }

    /// The node of all fetches so far has crashed.
    func forgetFetches() {
        for fetch in self.fetches.values.joined() { fetch.isCancelled = true }
    }

    func hasBeen(_ health: Health, _ poster: Int) -> Bool { self.posters[poster].healths.contains(health) }

    /// When a request arrived that the origin answered with this version or its confirmation.
    func arrival(of name: SimulatedPictures.Name) -> Int64? { self.posters[name.poster].arrivals[name.version] }

    func confirmation(of name: SimulatedPictures.Name) -> Int64? {
        self.posters[name.poster].confirmations[name.version]
    }

    var fetchCount: Int { self.fetches.values.reduce(0) { $0 + $1.count } }

    // MARK: Ports

    static func id(_ poster: Int) -> PosterID {
        guard let id = try? PosterID(key: "p\(poster)") else { fatalError("an id is malformed") }
        return id
    }

    static func poster(_ id: PosterID) -> Int { Int(id.key.dropFirst())! }

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        if self.machine.chance(0.3) { try await self.machine.sleep(.milliseconds(self.machine.number(1..<50))) }
        return .web(url: "http://origin.test/\(id.key)")
    }

    func knownLocation(of id: PosterID) async throws -> OriginalLocation? { try await self.locate(id) }

    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        let poster = Self.poster(id)
        let fetch = Fetch(isInBackground: urgency.level == .revalidation)
        self.begin(fetch, of: poster)
        defer { self.fetches[poster]?.removeAll { $0 === fetch } }
        return try await withTaskCancellationHandler {
            try await self.response(of: poster, validators, into: draft)
        } onCancel: {
            fetch.isCancelled = true
        }
    }

    private func begin(_ fetch: Fetch, of poster: Int) {
        let others = self.fetches[poster, default: []].filter { !$0.isCancelled }
        // A background revalidation may run beside a request's fetch.
        if !Task.isCancelled, others.contains(where: { $0.isInBackground == fetch.isInBackground }) {
            self.faults.append("two fetches of p\(poster) at a time")
        }
        self.fetches[poster, default: []].append(fetch)
    }

    /// Waits as for a server; sometimes notices a cancellation late.
    private func wait(_ limit: Int) async throws {
        if self.machine.chance(0.2) { await self.machine.pause() }
        try await self.machine.sleep(.milliseconds(self.machine.number(1..<limit)))
    }

    private func response(
        of poster: Int, _ validators: Validators, into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        if self.posters[poster].changesAlways { self.posters[poster].version += 1 }
        let (version, health) = (self.posters[poster].version, self.posters[poster].health)
        let arrival = self.machine.seconds
        self.machine.note("fetch of p\(poster) version \(version), \(health), \(validators.etag ?? "unconditional")")
        // A stall, until the fetcher's deadline.
        if !self.isSettled, self.machine.chance(0.03) {
            try await self.machine.sleep(.seconds(30))
            throw PosterError.originTooSlow(reason: "it stalled")
        }
        try await self.wait(self.machine.chance(0.2) ? 3000 : 100)
        switch health {
        case .missing: throw PosterError.unknownPoster(SimulatedOrigin.id(poster))
        case .refused: throw PosterError.originRefused(reason: "refused")
        case .unavailable: throw PosterError.originUnavailable(reason: "unavailable")
        case .sound, .truncated, .damaged: break
        }
        let tag = "\"\(poster)-\(version)\""
        var description = OriginDescription(
            validators: Validators(etag: tag),
            caching: CachingFields(cacheControl: "max-age=\(self.machine.number(0..<120))"))
        if validators.etag == tag, health == .sound {
            self.confirm(poster, version, arrival)
            return .notModified(description)
        }
        let name = SimulatedPictures.Name(poster: poster, version: version)
        let body = SimulatedPictures.original(name, isLong: self.areLong)
        description.declaredLength = body.count
        if self.machine.chance(0.7) { draft.expect(byteCount: body.count) }
        try await self.send(Self.part(of: body, health), to: draft)
        if health == .sound { self.confirm(poster, version, arrival) }
        return .sent(description)
    }

    private static func part(of body: [UInt8], _ health: Health) -> [UInt8] {
        switch health {
        case .truncated: Array(body.dropLast(30))
        case .damaged: [UInt8](repeating: 0, count: body.count)
        default: body
        }
    }

    private func send(_ body: [UInt8], to draft: any OriginalDraft) async throws {
        var start = 0
        while start < body.count {
            let count = body.count / self.machine.choice(self.areLong ? [2, 5, 9] : [1, 2, 6]) + 1
            let end = min(body.count, start + count)
            guard body[start..<end].withUnsafeBytes({ draft.append($0) }) else {
                throw PosterError.storageFailed(reason: "the draft took no bytes")
            }
            start = end
            if self.machine.chance(0.5) { try await self.wait(100) }
            if self.machine.chance(0.05) {
                guard draft.restart() else { throw PosterError.storageFailed(reason: "the draft cannot restart") }
                start = 0
            }
        }
    }

    private func confirm(_ poster: Int, _ version: Int, _ arrival: Int64) {
        self.posters[poster].confirmations[version] = self.machine.seconds
        self.posters[poster].arrivals[version] = max(arrival, self.posters[poster].arrivals[version] ?? arrival)
    }
}
