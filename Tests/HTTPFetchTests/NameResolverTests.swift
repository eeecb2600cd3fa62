import Flights
import Glibc
import InternetAddress
import PosterTesting
import Synchronization
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct NameResolverTests {
    @Test func aNameThatHangsHoldsOneThreadHoweverManyWantIt() async throws {
        let hanging = TestResolver.hang("one.hangs.test")
        let resolver = makeResolver()
        for _ in 0..<3 {
            let tasks = (0..<10).map { _ in Task { try await resolver.addresses(of: hanging.name) } }
            try await hanging.asked.wait()
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        }
        #expect(TestResolver.callCount(of: hanging.name) == 1)
        #expect(resolver.lookupCount == 1)
        let last = Task { try await resolver.addresses(of: hanging.name) }
        hanging.release()
        await #expect(throws: ResolverError.notFound) { try await last.value }
    }

    /// Counts all calls of `getaddrinfo`; libcurl's own threads would increase the count.
    @Test func cancelledFetchesLeaveNoThreads() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let names = (0..<40).map { TestResolver.hang("\($0).many.hangs.test") }
            let callCount = { names.map { TestResolver.callCount(of: $0.name) }.reduce(0, +) }
            let fetcher = try makeFetcher { $0.maxTransfers = 300 }
            let tasks = (0..<200).map { number in
                Task { try await fetcher.get("http://\(names[number % names.count].name):\(origin.port)/") }
            }
            try await eventually { callCount() >= NameResolver.maxThreads }
            #expect(try await fetcher.get(origin.url("/")).0.status == 200, "nobody else is held up")
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
            #expect(callCount() == NameResolver.maxThreads)
            for name in names { name.release() }
        }
    }

    @Test func whenAllThreadsHangAndTheQueueIsFullALookupIsRefused() async throws {
        let resolver = makeResolver()
        let names = (0...(NameResolver.maxThreads + NameResolver.maxQueue)).map {
            TestResolver.hang("\($0).full.hangs.test")
        }
        let tasks = names.dropLast().map { name in Task { try await resolver.addresses(of: name.name) } }
        try await eventually { resolver.lookupCount >= tasks.count }
        let last = names[names.count - 1].name
        await #expect(throws: ResolverError.busy) {
            try await resolver.addresses(of: last)
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        for name in names { name.release() }
    }

    @Test func addressesAreCachedForTheirDuration() async throws {
        let (name, clock) = ("remembered.test", ManualClock())
        TestResolver.map(name, to: "127.0.0.7")
        let resolver = NameResolver(cacheDuration: .seconds(60), timing: clock.timing)
        for _ in 0..<3 {
            let addresses = try await resolver.addresses(of: name)
            #expect(addresses.map(\.description) == ["127.0.0.7"])
        }
        #expect(TestResolver.callCount(of: name) == 1)
        clock.advance(by: .seconds(60))
        _ = try await resolver.addresses(of: name)
        #expect(TestResolver.callCount(of: name) == 2)
    }

    @Test func aFailedLookupIsRepeatedAfterASecond() async throws {
        let clock = ManualClock()
        let hanging = TestResolver.hang("missing.hangs.test")
        hanging.release()
        let resolver = NameResolver(cacheDuration: .seconds(60), timing: clock.timing)
        for _ in 0..<2 {
            await #expect(throws: ResolverError.notFound) { try await resolver.addresses(of: hanging.name) }
        }
        #expect(TestResolver.callCount(of: hanging.name) == 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: ResolverError.notFound) { try await resolver.addresses(of: hanging.name) }
        #expect(TestResolver.callCount(of: hanging.name) == 2)
    }

    @Test(
        "what a failed lookup means",
        arguments: [
            (EAI_NONAME, 0, .notFound), (EAI_FAIL, 0, .notFound), (EAI_AGAIN, 0, .temporaryFailure),
            (EAI_SYSTEM, EMFILE, .outOfDescriptors), (EAI_AGAIN, EMFILE, .outOfDescriptors),
            (EAI_NONAME, ENFILE, .outOfDescriptors),
        ] as [(Int32, Int32, ResolverError)]
    )
    func failure(code: Int32, errno: Int32, failure: ResolverError) {
        #expect(SystemResolver.failure(code: code, errno: errno) == failure)
    }

    @Test("what may pass is not remembered", arguments: [ResolverError.temporaryFailure, .outOfDescriptors])
    func passing(failure: ResolverError) async throws {
        let names = ScriptedResolver([.failure(failure), .success([.v4(1)])])
        let resolver = NameResolver(cacheDuration: .seconds(60), timing: ManualClock().timing, lookUp: names.lookUp)
        await #expect(throws: failure) { try await resolver.addresses(of: "a.test") }
        let addresses = try await resolver.addresses(of: "a.test")
        #expect(addresses == [.v4(1)])
    }

    @Test func aLookupThatWasNotAnsweredIsTriedAgain() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let names = ScriptedResolver([
                .failure(.temporaryFailure), .success([try #require(IPAddress("127.0.0.1"))]),
            ])
            let fetcher = try makeFetcher(timing: FetchTiming(), names: names)
            #expect(try await fetcher.get("http://again.test:\(origin.port)/").0.status == 200)
            #expect(fetcher.origins.first?.totals.retries == 1)
        }
    }

    @Test func aThreadThatLooksUpOutlivesABrokenPipe() async throws {
        let isBlocked = Mutex(false)
        let resolver = NameResolver(cacheDuration: .zero, timing: FetchTiming()) { _ in
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            let isMember = sigismember(&signals, SIGPIPE) == 1
            isBlocked.withLock { $0 = isMember }
            return .success([.v4(1)])
        }
        _ = try await resolver.addresses(of: "a.test")
        #expect(isBlocked.withLock { $0 })
    }

    @Test func theCacheIsBounded() {
        var cache = NameCache(duration: .seconds(60))
        for number in 0..<(NameCache.maxNames + 10) {
            _ = cache.store(.success([.v4(1)]), for: "\(number).test", at: UInt64(number))
        }
        #expect(cache.count == NameCache.maxNames)
        let (evicted, kept) = (cache.result(for: "9.test", at: 2000), cache.result(for: "10.test", at: 2000))
        #expect(evicted == nil, "the least recently used are evicted")
        #expect(kept != nil)
    }

    @Test func newAddressesOfANameAreUsedAndChecked() async throws {
        let name = "moving.rebind.test"
        TestResolver.map(name, to: TestResolver.publicAddress)
        try await withOrigin { origin in
            origin.on("/", .answer(headers: [("Connection", "close")]))
            let fetcher = try makeFetcher {
                $0.allowPrivateAddresses = false
                $0.dnsCacheDuration = .zero
            }
            let url = "http://\(name):\(origin.port)/"
            #expect(try await fetcher.get(url).0.status == 200)
            TestResolver.map(name, to: "127.0.0.1")
            await #expect(throws: FetchError.addressRefused("127.0.0.1")) { try await fetcher.get(url) }
            #expect(origin.requestCount(to: "/") == 1)
        }
    }

    private func makeResolver() -> NameResolver {
        NameResolver(cacheDuration: .seconds(60), timing: ManualClock().timing)
    }
}
