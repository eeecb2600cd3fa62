import Glibc
import HTTPSemantics
import Logging
import PosterCodec
package import PosterPipeline
import RebuildableDatabase
import Synchronization

extension DiskVariantStore {
    /// The location of a variant.
    private enum Place: Sendable {
        case unlisted
        case absent
        /// In the write queue.
        case memory(StoredVariant)
        case file(VariantFileName, number: UInt64)
    }

    package func poster(for key: VariantKey) async -> StoredVariant? {
        guard self.configuration.byteBudget > 0 else { return nil }
        let id = VariantID(key)
        do {
            var place = self.place(of: id)
            if case .unlisted = place {
                try await self.threads.run { _ = self.list(id.folder) }
                place = self.place(of: id)
            }
            switch place {
            case .unlisted, .absent: return nil
            case .memory(let variant): return variant
            case .file(let name, let number):
                // The whole file is read into memory.
                return try await self.threads.run(weight: name.length) { self.read(key, name, number: number) }
            }
        } catch {
            // The task was cancelled, or the threads are busy: the variant is rendered.
            return nil
        }
    }

    private func place(of id: VariantID) -> Place {
        self.state.withLock { state in
            if let variant = state.pending(id) {
                state.index.noteUse(of: id)
                return .memory(variant)
            }
            guard let entry = state.index.entry(id) else {
                return state.isListed[Int(id.folder)] ? .absent : .unlisted
            }
            return entry.isWritten ? .file(entry.name, number: entry.number) : .absent
        }
    }

    /// Reads a file, and removes it if it does not match its name.
    private func read(_ key: VariantKey, _ name: VariantFileName, number: UInt64) -> StoredVariant? {
        let path = self.layout.path(of: name)
        do throws(VariantFile.Failure) {
            let file = try VariantFile(path, length: name.length)
            self.readFaults.end()
            guard file.header.fingerprint == name.id.text else {
                throw .damaged(reason: "the header belongs to another variant")
            }
            // Another variant with the same fingerprint; the requested one is rendered and replaces it.
            guard file.header.name == key.name, file.header.format == key.format else { return nil }
            let isThere = self.state.withLock { state in
                guard state.index.entry(name.id)?.number == number else { return false }
                state.index.noteUse(of: name.id)
                return true
            }
            // Removed during the read.
            guard isThere else { return nil }
            let header = file.header
            let poster = Poster(
                bytes: file.bytes, entityTag: EntityTag(hexadecimal: header.tag), format: key.format,
                size: key.framing.size, encoding: header.encoding)
            return StoredVariant(
                poster: poster, cpuNanoseconds: min(header.cpuMicroseconds, 1 << 48) * 1000, encoding: header.encoding)
        } catch {
            switch error {
            case .absent, .outdated: self.submit { $0.remove(name.id, number: number) }
            case .damaged(let reason): self.drop(name, number: number, because: reason)
            case .unreadable(let error):
                self.readFaults.begin(error)
                self.state.withLock { $0.counters.failures += 1 }
            }
            return nil
        }
    }

    /// Removes a damaged file, unless it was replaced meanwhile.
    func drop(_ name: VariantFileName, number: UInt64, because reason: String) {
        self.logger.warning(
            "Dropping a stored variant",
            metadata: ["file.path": "\(self.layout.path(of: name))", "reason": "\(reason)"])
        self.submit { state in
            state.counters.damaged += 1
            state.remove(name.id, number: number)
        }
    }

    /// Lists a folder, unless that was done before; blocks.
    /// - Returns: Whether the folder is listed. Otherwise its variants are not found, and none are written to it; its
    ///   next use tries again.
    func list(_ folder: UInt8) -> Bool {
        self.listing.withLock { _ in
            guard !self.state.withLock({ $0.isListed[Int(folder)] }) else { return true }
            let found: (variants: [VariantFileName], others: [String])
            do throws(FileError) {
                found = try self.layout.names(in: folder)
            } catch {
                self.readFaults.begin(error)
                self.state.withLock { $0.counters.failures += 1 }
                return false
            }
            do throws(FileError) {
                // Files of another format version.
                for path in found.others { try self.layout.remove(path) }
            } catch {
                self.removalFailed(error)
            }
            self.submit { $0.addListed(found.variants, folder: folder) }
            return true
        }
    }
}
