import PosterPipeline
import Synchronization

/// Locks for keys, many keys to a lock. A file and its row change together under the lock of their key.
///
/// Held while a disk works, therefore only on threads that may block; nobody takes a second one.
final class KeyLocks: Sendable {
    private final class Lock: Sendable {
        let mutex = Mutex(())
    }

    private let locks = (0..<256).map { _ in Lock() }

    func withLock<Value, Failure: Error>(
        of key: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Not the first byte: those that a sweep visits one after the other, a folder's, would share a lock.
        try self.locks[Int(key.bytes[31])].mutex.withLock { _ throws(Failure) in try body() }
    }
}
