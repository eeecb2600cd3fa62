import Flights
import Glibc
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// The single task that changes files.
extension DiskVariantStore {
    /// Performs all pending steps.
    func work() async {
        while let step = self.state.withLock({ $0.nextStep() }) {
            switch step {
            case .request(let request):
                await self.run(Urgency(.interactive)) { self.perform(request.kind) }
                // Files removed from the index by the request are deleted before it is done.
                while let names = self.state.withLock({ $0.takeDeletions() }) { await self.delete(names) }
                request.done?.open()
            case .delete(let names): await self.delete(names)
            case .write(let name, let pending):
                let hasRun = await self.run(Urgency(.warming)) { self.write(name, pending) }
                if !hasRun {
                    _ = self.state.withLock { $0.finishWrite(name.id, number: pending.number, isWritten: false) }
                }
            case .settled(let done): done.open()
            }
        }
    }

    /// Runs a step on the store's threads, after more urgent work, and even if their queue is full.
    /// - Returns: Whether it ran; false if the threads have ended.
    @discardableResult
    private func run(_ urgency: Urgency, _ step: @escaping @Sendable () -> Void) async -> Bool {
        do {
            do {
                try await self.threads.run(urgency: urgency, step)
            } catch PosterError.overloaded {
                try await self.threads.runStep(step)
            }
            return true
        } catch {
            return false
        }
    }

    private func perform(_ kind: VariantStoreState.Request.Kind) {
        switch kind {
        case .start:
            self.removeLeftovers()
            self.listAll()
        case .list: self.listAll()
        case .settle: break
        }
    }

    private func listAll() {
        for folder in self.state.withLock({ $0.unlistedFolders }) { _ = self.list(folder) }
    }

    private func removeLeftovers() {
        do throws(FileError) {
            for path in try self.layout.leftovers() { try self.layout.remove(path) }
        } catch {
            self.removalFailed(error)
        }
    }

    private func delete(_ names: [VariantFileName]) async {
        await self.run(Urgency(.interactive)) {
            for name in names {
                do throws(FileError) {
                    try self.layout.remove(self.layout.path(of: name))
                    self.removalFaults.end()
                } catch {
                    self.removalFailed(error)
                    self.state.withLock { $0.undeleted.append(name) }
                }
            }
        }
    }

    func removalFailed(_ error: FileError) {
        self.removalFaults.begin(error)
        self.state.withLock { $0.counters.failures += 1 }
    }

    /// Retries failed deletions: without them there is no room.
    /// - Returns: Whether all have succeeded.
    private func deleteUndeleted() -> Bool {
        while let name = self.state.withLock({ $0.undeleted.last }) {
            do throws(FileError) {
                try self.layout.remove(self.layout.path(of: name))
            } catch {
                self.removalFailed(error)
                return false
            }
            self.state.withLock { _ = $0.undeleted.popLast() }
        }
        return true
    }

    private func write(_ name: VariantFileName, _ pending: VariantStoreState.Pending) {
        guard self.list(name.folder), self.deleteUndeleted() else { return self.writeFailed(name, pending) }
        let temporary = self.layout.temporary(pending.number)
        do throws(FileError) {
            try self.writeTemporary(temporary, pending)
            do throws(FileError) {
                try self.layout.place(temporary, as: name)
            } catch {
                unlink(temporary)
                throw error
            }
            self.writeFaults.end()
        } catch {
            self.writeFaults.begin(error)
            return self.writeFailed(name, pending)
        }
        let isWanted = self.state.withLock { $0.finishWrite(name.id, number: pending.number, isWritten: true) }
        guard !isWanted else { return }
        // The variant was removed or replaced during the write.
        do throws(FileError) {
            try self.layout.remove(self.layout.path(of: name))
        } catch {
            self.removalFailed(error)
            self.state.withLock { $0.undeleted.append(name) }
        }
    }

    private func writeFailed(_ name: VariantFileName, _ pending: VariantStoreState.Pending) {
        self.state.withLock { state in
            state.counters.failures += 1
            _ = state.finishWrite(name.id, number: pending.number, isWritten: false)
        }
    }

    private func writeTemporary(_ path: String, _ pending: VariantStoreState.Pending) throws(FileError) {
        let descriptor: Int32
        do throws(FileError) {
            descriptor = try self.calls.create(path)
        } catch {
            guard error.code == ENOENT else { throw error }
            // The folder may be deleted at any time, as variants may.
            try DataDirectory.create(self.layout.incoming)
            descriptor = try self.calls.create(path)
        }
        do throws(FileError) {
            try VariantFile.write(
                head: pending.head, pending.variant.poster.bytes, to: descriptor, path: path, calls: self.calls)
        } catch {
            Glibc.close(descriptor)
            unlink(path)
            throw error
        }
        guard Glibc.close(descriptor) == 0 else {
            let error = FileError("write", path)
            unlink(path)
            throw error
        }
    }
}
