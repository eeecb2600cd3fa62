import CodecTesting
import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

/// Compares a table with a reference that searches plain lists.
@Suite(.timeLimit(.hang))
struct RenderTableModelTests {
    private typealias Caller = RenderTableTests.Caller
    private typealias Table = RenderTable<Caller>

    private struct Reference {
        enum Phase { case gathering, sealed, running, ahead }

        struct Job {
            let id: Table.JobID
            var phase: Phase
            /// Indices of flights.
            var flights: [Int]
            /// The flights that an opened request has joined while the job gathered.
            var opened: Set<Int> = []
            /// The flights in the order of the running job's targets; `nil` for a dropped target.
            var targets: [Int?] = []
            var control: JobControl?
        }

        /// The waiting requests: their flights' indices by caller.
        var waiting: [Caller: Int] = [:]
        /// The indices of announced flights, once for each request.
        var announced: [Int] = []
        var jobs: [Job] = []
        /// The jobs that new flights join, by poster.
        var joinable: [PosterID: Table.JobID] = [:]

        func job(of flight: Int) -> Int? { self.jobs.firstIndex { $0.flights.contains(flight) } }
        func callers(of flight: Int) -> Set<Caller> { Set(self.waiting.filter { $0.value == flight }.keys) }

        mutating func remove(_ flight: Int) {
            guard let job = self.job(of: flight) else { return }
            self.jobs[job].flights.removeAll { $0 == flight }
            self.jobs[job].opened.remove(flight)
            guard self.jobs[job].flights.isEmpty else { return }
            let id = self.jobs.remove(at: job).id
            self.joinable = self.joinable.filter { $0.value != id }
        }

        /// Removes flights without callers and announcements from the running jobs of a poster.
        mutating func dropUnwanted(_ isOfPoster: (Int) -> Bool) -> Int {
            let dropped = self.jobs.filter { $0.phase == .running }.flatMap(\.flights)
                .filter { isOfPoster($0) && self.callers(of: $0).isEmpty && !self.announced.contains($0) }
            for flight in dropped { self.remove(flight) }
            return dropped.count
        }
    }

    private struct Schedule {
        let flights: [Table.Flight]
        var random: SeededRandom
        var table = Table()
        var reference = Reference()
        var lastCaller = 0

        private static func opened(_ original: Original) -> Original {
            let bytes = LoadedBytes(UnsafeRawBufferPointer(start: nil, count: 0)) {}
            return Original(id: original.id, digest: original.digest, header: original.header, bytes: .memory(bytes))
        }

        /// The index of a job in one of these phases.
        mutating func job(_ phases: Set<Reference.Phase>) -> Int? {
            self.reference.jobs.indices.filter { phases.contains(self.reference.jobs[$0].phase) }
                .randomElement(using: &self.random)
        }

        func index(of key: VariantKey) -> Int? { self.flights.firstIndex { $0.key == key } }

        mutating func resume(_ callers: [Caller], of flights: [Int]) {
            let expected = flights.reduce(into: Set()) { $0.formUnion(self.reference.callers(of: $1)) }
            #expect(Set(callers) == expected && callers.count == expected.count)
            for caller in callers { self.reference.waiting[caller] = nil }
        }

        mutating func step() {
            let index = self.flights.indices.randomElement(using: &self.random)!
            let flight = self.flights[index]
            let isOfPoster = { [flights] in flights[$0].key.id == flight.key.id }
            switch Int.random(in: 0..<22, using: &self.random) {
            case 0..<4:
                #expect(self.table.announce([flight.target], of: flight.key.id, level: flight.level).count == 1)
                self.reference.announced.append(index)
            case 4..<7:
                guard let place = self.reference.announced.firstIndex(of: index) else { return }
                self.reference.announced.remove(at: place)
                let count = self.table.withdraw([flight.target], of: flight.key.id, level: flight.level)
                #expect(count == self.reference.dropUnwanted(isOfPoster))
            case 7..<12: self.join(flight, index)
            case 12..<14: self.leave()
            case 14..<16: self.seal()
            case 16..<18: self.begin()
            case 18, 19:
                guard let job = self.job([.running, .ahead]) else { return }
                let made = self.reference.jobs[job].flights.randomElement(using: &self.random)!
                let callers = self.table.finish(self.reference.jobs[job].id, self.flights[made].key)
                self.resume(callers, of: [made])
                self.reference.remove(made)
            case 20:
                let id = self.table.beginAhead(flight, JobControl(targetCount: 1))
                #expect((id == nil) == (self.reference.job(of: index) != nil))
                if let id { self.reference.jobs.append(.init(id: id, phase: .ahead, flights: [index])) }
            default:
                guard let job = self.job([.gathering, .sealed, .running, .ahead]) else { return }
                self.end(self.reference.jobs[job])
            }
            #expect(self.table.jobCount == self.reference.jobs.count)
            #expect(self.table.callerCount == self.reference.waiting.count)
            #expect(self.table.isAwaited(flight.key) == !self.reference.callers(of: index).isEmpty)
            for job in self.reference.jobs {
                for (target, made) in job.targets.enumerated() where made != nil {
                    #expect(job.control!.isWanted(target) == job.flights.contains(made!))
                }
            }
        }

        private mutating func begin(_ queued: Table.Queued?, _ flights: [Int], of poster: PosterID) {
            #expect((queued == nil) == flights.isEmpty)
            guard let queued else { return }
            self.table.setTask(Task {}, of: queued.id)
            self.reference.jobs.append(.init(id: queued.id, phase: .gathering, flights: flights))
            self.reference.joinable[poster] = queued.id
        }

        private mutating func join(_ flight: Table.Flight, _ index: Int) {
            self.lastCaller += 1
            let caller = Caller(id: self.lastCaller)
            var flight = flight
            let isOpened = Bool.random(using: &self.random)
            if isOpened { flight.original = Self.opened(flight.original) }
            let joining = self.table.join(caller, flight)
            if self.reference.job(of: index) != nil {
                #expect(joining.isShared == !self.reference.callers(of: index).isEmpty)
            } else if let id = self.reference.joinable[flight.key.id] {
                self.reference.jobs[self.reference.jobs.firstIndex { $0.id == id }!].flights.append(index)
                #expect(!joining.isShared)
            } else {
                self.begin(joining.begun, [index], of: flight.key.id)
            }
            self.reference.waiting[caller] = index
            let job = self.reference.job(of: index)!
            if isOpened, self.reference.jobs[job].phase == .gathering { self.reference.jobs[job].opened.insert(index) }
            #expect(self.reference.job(of: index) != nil && (joining.begun == nil) == (joining.raised != nil))
        }

        private mutating func leave() {
            guard let (caller, index) = self.reference.waiting.min(by: { $0.key.id < $1.key.id }) else { return }
            let job = self.reference.job(of: index)!
            let (id, isQueued) = (self.reference.jobs[job].id, self.reference.jobs[job].phase == .gathering)
            self.reference.waiting[caller] = nil
            let leaving = self.table.leave(caller.id, of: self.flights[index].key)
            #expect(leaving.caller == caller && leaving.isLast == self.reference.callers(of: index).isEmpty)
            if leaving.isLast, isQueued { self.reference.remove(index) }
            let hasEnded = !self.reference.jobs.contains { $0.id == id }
            #expect((leaving.cancelled != nil) == hasEnded, "a queued job ends with its last caller")
            let isSamePoster = { [flights] in flights[$0].key.id == flights[index].key.id }
            #expect(
                leaving.droppedCount == (leaving.isLast && !isQueued ? self.reference.dropUnwanted(isSamePoster) : 0))
            #expect(self.table.leave(caller.id, of: self.flights[index].key).caller == nil)
        }

        private mutating func seal() {
            guard let job = self.job([.gathering]) else { return }
            let poster = self.flights[self.reference.jobs[job].flights[0]].key.id
            let announced = Set(self.reference.announced).filter { self.flights[$0].key.id == poster }
            let sealed = self.table.seal(self.reference.jobs[job].id, announced: announced.map { self.flights[$0] })
            let new = announced.filter { self.reference.job(of: $0) == nil }
            self.reference.jobs[job].flights += new
            self.reference.jobs[job].phase = .sealed
            self.reference.joinable = self.reference.joinable.filter { $0.value != self.reference.jobs[job].id }
            #expect(Set(sealed.map(\.key)) == Set(self.reference.jobs[job].flights.map { self.flights[$0].key }))
            let opened = self.reference.jobs[job].opened.map { self.flights[$0].key }
            #expect(Set(sealed.filter(\.original.isOpened).map(\.key)) == Set(opened))
            let ranks = sealed.map { ($0.isAwaited ? 3 : 0) + $0.level.rawValue }
            #expect(ranks == ranks.sorted(by: >), "awaited ones first, then the most urgent")
        }

        private mutating func begin() {
            guard let index = self.job([.sealed]) else { return }
            let job = self.reference.jobs[index]
            let poster = self.flights[job.flights[0]].key.id
            let chosen = job.flights.filter { _ in Bool.random(using: &self.random) }
            // An early decode may have dropped targets.
            var targets = chosen.map(Optional.some)
            if Bool.random(using: &self.random) { targets.insert(nil, at: 0) }
            let control = JobControl(targetCount: max(1, targets.count))
            for (target, made) in targets.enumerated() where made == nil { control.drop(target) }
            let rest = self.table.begin(job.id, targets.map { $0.map { self.flights[$0].key } }, control)
            self.reference.jobs[index].phase = .running
            self.reference.jobs[index].targets = targets
            self.reference.jobs[index].control = control
            let others = job.flights.filter { !chosen.contains($0) }
            for flight in others { self.reference.remove(flight) }
            let waiting = others.filter { !self.reference.callers(of: $0).isEmpty }
            self.begin(rest, waiting, of: poster)
            if rest != nil {
                self.reference.jobs[self.reference.jobs.count - 1].opened = job.opened.intersection(waiting)
            }
        }

        mutating func end(_ job: Reference.Job) {
            self.resume(self.table.end(job.id), of: job.flights)
            for flight in job.flights { self.reference.remove(flight) }
        }
    }

    @Test("in 10,000 schedules a table does what the reference does, and resumes each waiter exactly once")
    func schedules() throws {
        let flights = try ["heat", "ronin"].flatMap { id in
            try (1...3).map { width in
                try RenderTableTests.flight(50 * width, of: id, level: Urgency.Level(rawValue: width % 3)!)
            }
        }
        for seed in 0..<10_000 {
            var schedule = Schedule(flights: flights, random: SeededRandom(seed: UInt64(seed)))
            for _ in 0..<40 { schedule.step() }
            for job in schedule.reference.jobs { schedule.end(job) }
            for index in schedule.reference.announced {
                let flight = flights[index]
                _ = schedule.table.withdraw([flight.target], of: flight.key.id, level: flight.level)
            }
            #expect(schedule.reference.waiting.isEmpty && schedule.table.jobCount == 0, "seed \(seed)")
            #expect(schedule.table.wanted.isEmpty, "seed \(seed)")
        }
    }
}
