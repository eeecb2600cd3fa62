import Flights
import PosterCodec
import PosterOrigins
import PosterPipeline
import RedisClient
import Synchronization

/// The background work: one write or removal after the other.
extension RedisVariantStore {
    /// Writes and removes until the task is cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.retryRemovals() }
            group.addTask { try await self.work() }
            try await group.next()
        }
    }

    private func retryRemovals() async throws {
        while true {
            try await self.state.withLock { $0.queue.nextFailure() }.wait()
            try await self.sleep(Self.removalPause)
            self.state.withLock { $0.queue.retryRemovals() }?.open()
        }
    }

    private func work() async throws {
        while true {
            switch self.state.withLock({ $0.queue.next() }) {
            case .wait(let gate): try await gate.wait()
            case .write(let write):
                let outcome = try await self.write(write)
                self.state.withLock { $0.queue.finish(write, outcome) }
            case .delete(let key): try await self.delete(key)
            case .remove(let removal):
                let outcome = try await self.perform(removal)
                for gate in self.state.withLock({ $0.queue.finish(removal, outcome) }) { gate.open() }
            }
        }
    }

    private func write(_ write: RedisVariantQueue.Write) async throws -> RedisVariantQueue.WriteOutcome {
        let name = RedisVariantName(write.key, prefix: self.client.prefix)
        do {
            let isRefined = write.variant.encoding == .refined
            let reply = try await self.client.evaluate(
                RedisVariantScripts.store, keys: [name.key],
                [
                    isRefined ? name.refinedField : name.firstField, isRefined ? name.firstField : name.refinedField,
                    try VariantMessage.bytes(write.variant, for: write.key), isRefined ? 1 : 0,
                    self.configuration.limitPerPoster, max(1, self.configuration.timeToLive.components.seconds),
                ], lane: .background)
            return reply.number == 1 ? .stored : .refused
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failed
        }
    }

    private func delete(_ key: VariantKey) async throws {
        let name = RedisVariantName(key, prefix: self.client.prefix)
        do {
            _ = try await self.client.send(
                RedisCommand("HDEL", name.key, name.firstField, name.refinedField), lane: .background)
        } catch let error as CancellationError {
            throw error
        } catch {
            // The next read of the key finds the unusable variant again and queues another deletion.
            self.state.withLock { $0.queue.counters.failures += 1 }
        }
    }

    private func perform(
        _ removal: RedisVariantQueue.Removal
    ) async throws -> RedisVariantQueue.RemovalOutcome {
        let prefix = self.client.prefix
        do {
            switch removal {
            case .poster(let id):
                _ = try await self.client.send(
                    RedisCommand("UNLINK", RedisVariantName.key(of: id, prefix: prefix)), lane: .background)
            case .original(let id, let digest):
                _ = try await self.client.evaluate(
                    RedisVariantScripts.removeOriginal, keys: [RedisVariantName.key(of: id, prefix: prefix)],
                    [RedisVariantName.fieldStart(digest)], lane: .background)
            case .source(let name): try await self.removeAll(RedisVariantName.pattern(source: name, prefix: prefix))
            case .everything: try await self.removeAll(RedisVariantName.pattern(source: nil, prefix: prefix))
            }
            return .done
        } catch let error as CancellationError {
            throw error
        } catch RedisFailure.refused {
            return .refused
        } catch {
            return .unavailable
        }
    }

    /// Removes all keys of a pattern, some hundred at a time, so that the server can serve other clients in between.
    private func removeAll(_ pattern: String) async throws {
        var cursor = "0"
        repeat {
            let page = try await self.client.send(
                RedisCommand("SCAN", cursor, "MATCH", pattern, "COUNT", Self.scanCount), lane: .background)
            guard let parts = page.elements, parts.count == 2, let next = parts[0].text, let keys = parts[1].elements
            else { throw RedisFailure.unintelligible("SCAN has no cursor") }
            cursor = next
            let names = keys.compactMap(\.bytesValue)
            if !names.isEmpty {
                _ = try await self.client.send(RedisCommand("UNLINK", arguments: names), lane: .background)
            }
        } while cursor != "0"
    }
}
