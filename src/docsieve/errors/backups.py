"""Errors of backups and restores, which only the command line raises."""

from docsieve.errors import Conflict, DocsieveError, NotFound
from docsieve.errors.setup import NotSetUp


class BackupNotFound(NotFound):
    """There is no such backup."""

    code = "backup_not_found"


class BackupKeyMissing(NotSetUp):
    """These backups are encrypted. Name their key with --key."""

    code = "backup_key_missing"


class BackupKeyWrong(NotSetUp):
    """The key does not open these backups."""

    code = "backup_key_wrong"


class BackupOfOther(Conflict):
    """This place holds the backups of another installation. Choose another folder or prefix."""

    code = "backup_of_other"


class BackupRunning(Conflict):
    """Another backup of this database is running."""

    code = "backup_running"


class BackupDisturbed(Conflict):
    """Encryption keys were changed while the backup ran, so it may not open some files. Run it again."""

    code = "backup_disturbed"


class BackupDamaged(DocsieveError):
    """Files of the backup are missing or were altered."""

    code = "backup_damaged"


class RestoreTargetNotEmpty(Conflict):
    """The database is not empty. Restore into a new one."""

    code = "restore_target_not_empty"


class DumpFailed(DocsieveError):
    """The database could not be dumped or loaded."""

    code = "dump_failed"
