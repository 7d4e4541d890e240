import type { Page } from '../../page/page.ts';
import type { Clue, Evidence } from './evidence.ts';
import { type Address, isHome } from './path.ts';

/**
 * Adds what documents of software are: documentation and READMEs (manuals), releases and changelogs (news), and pages that
 * say whether a service works (news, too: they report what happens now). Told by where programs put them, by the names of
 * files, and by titles in many languages.
 */
export function documentClues(page: Page, address: Address, evidence: Evidence, isArticle: boolean): void {
  const isStatus = STATUS_HOST.test(address.host);
  // The first page of such a host is that before it is a home page.
  if (isStatus)
    evidence.add({ value: NEWS, points: isHome(address) ? HOME_POINTS : 7, reason: `host ${address.host}` });
  evidence.add(projectClue(page, address));
  evidence.add(fileClue(address));
  for (const part of (page.title ?? '').split(/\s[|–—·•-]\s|\s?\|\s?/u, PARTS))
    evidence.add(titleClue(part, isArticle));
}

const NEWS = '/Article/News_Update';
const MANUAL = '/Document/Manual';
const PARTS = 8;
const HOME_POINTS = 11;
const STATUS_HOST = /^(?:status|uptime|health)\./;

/** A page of a project, on a host of projects or of packages. */
function projectClue({ segments }: Page, { host, path }: Address): Clue | undefined {
  if (PACKAGES.some(([name, shape]) => name.test(host) && shape.test(path))) {
    return { value: MANUAL, points: 7, reason: `a package on ${host}` };
  }
  if (/\/(?:-\/)?releases(?:\/|$)|\/(?:-\/)?tags\/?$/.test(path) && PROJECTS.test(host)) {
    return { value: NEWS, points: 9, reason: `releases on ${host}` };
  }
  if (/\/(?:-\/)?(?:issues|pull|merge_requests|discussions)\/\d+/.test(path) && PROJECTS.test(host)) {
    return { value: '/User_Generated_Content/Discussions', points: 9, reason: `a discussion on ${host}` };
  }
  const isProject = PROJECTS.test(host) && /^\/[^/]+\/[^/]+(?:\/tree\/.+)?\/?$/.test(path);
  const readme = segments.some(({ text, zone }) => zone !== 'chrome' && text.length <= 40 && README.test(text));
  return isProject || readme ? { value: MANUAL, points: 7, reason: 'a project with its README' } : undefined;
}

const PROJECTS =
  /(?:^|\.)(?:github|gitlab|bitbucket|gitee|codeberg|gitea|sourcehut|sr)\.(?:com|org|ht)$|^(?:git|gitlab|gitea|code)\./;
const README = /^readme(?:[.-][a-z-]{2,5}){0,2}$/i;
const PACKAGES: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/(?:^|\.)npmjs\.com$/, /^\/package\//],
  [/(?:^|\.)pypi\.org$/, /^\/project\//],
  [/(?:^|\.)crates\.io$/, /^\/crates\//],
  [/(?:^|\.)rubygems\.org$/, /^\/gems\//],
  [/(?:^|\.)packagist\.org$/, /^\/packages\//],
  [/(?:^|\.)hub\.docker\.com$/, /^\/(?:r|_)\//],
  [/^pkg\.go\.dev$|(?:^|\.)docs\.rs$/, /^\/./],
  [/\.readthedocs\.(?:io|org)$|\.gitbook\.io$|^docs?\.|^documentation\.|^manual\.|^handbook\.|^api-docs\./, /^\/./],
];

/** By the name of a file of a project, whatever host it is on. */
function fileClue({ path }: Address): Clue | undefined {
  const name = path.split('/').at(-1) ?? '';
  if (/^(?:change-?log|changes|release-?notes|whats-?new|history)(?:\.[a-z]{2,4})?$/i.test(name)) {
    return { value: NEWS, points: 8, reason: `path ends in /${name}` };
  }
  if (/^(?:readme|install|contributing|faq|usage)\.(?:md|rst|adoc|txt)$|^readme(?:\.html?)?$/i.test(name)) {
    return { value: MANUAL, points: 8, reason: `path ends in /${name}` };
  }
  return undefined;
}

function titleClue(part: string, isArticle: boolean): Clue | undefined {
  if (part.length > TITLE) return undefined;
  const reason = `title "${part.trim()}"`;
  const lower = part.toLowerCase();
  if (RELEASES.test(lower) || STATUS.test(lower)) return { value: NEWS, points: 7, reason };
  return !isArticle && DOCUMENTATION.test(lower) ? { value: MANUAL, points: 7, reason } : undefined;
}

/** Characters of a part of a title that names what the page is. */
const TITLE = 60;
const RELEASES =
  /\brelease notes?\b|\bchange ?logs?\b|\bversion history\b|^releases?(?:$| [·:v\d])|^version \d[\d.]* released|versionshinweise|versionsverlauf|änderungsprotokoll|notas de (?:la )?(?:versión|lanzamiento|versiones)|(?:historial|registro) de cambios|notes de (?:version|publication|mise à jour)|journal des (?:modifications|changements)|notas (?:de|da) (?:versão|lançamento|atualização)|registro de alterações|note (?:di rilascio|sulla versione)|registro delle modifiche|(?:wijzigingslogboek|release-?opmerkingen|versiegeschiedenis)|informacje o wydaniu|(?:historia|lista|dziennik) zmian|poznámky k (?:vydání|verzi)|(?:seznam|historie) změn|kiadási megjegyzések|note de lansare|(?:журнал|история|список) (?:изменений|версий|обновлений)|(?:заметки|примечания) (?:о|к) (?:выпуск|верси|релиз)|журнал змін|(?:примітки|нотатки) до випуску|бележки (?:към|по) (?:изданието|версията)|σημειώσεις έκδοσης|ιστορικό αλλαγών|sürüm notları|değişiklik (?:günlüğü|listesi)|versionsinformation|ändringslogg|utgivelsesnotater|endringslogg|julkaisutiedot|muutosloki|catatan rilis|log perubahan|ghi chú phát hành|nhật ký thay đổi|บันทึก(?:ประจำรุ่น|การเปลี่ยนแปลง)|ملاحظات (?:الإصدار|الاصدار)|سجل التغييرات|یادداشت(?:‌| )?های انتشار|تغییرات نسخه|הערות (?:גרסה|שחרור)|रिली[ज़ज]़? नोट्स|संस्करण इतिहास|変更履歴|更新履歴|リリース(?:ノート|情報)|更新日[志誌]|(?:发布|發布|版本)(?:说明|說明|日志)|변경 ?(?:사항|이력|로그)|릴리[스즈] ?노트/u;
const STATUS =
  /\b(?:system|service|server|platform|network) status\b|\bstatus page\b|\ball systems operational\b|\bincident (?:report|history)\b|\bsystemstatus\b|\bdienststatus\b|estado (?:del (?:sistema|servicio)|de los servicios)|état (?:du système|des? services?)|stato (?:del sistema|dei servizi|del servizio)|(?:status|estado) (?:do sistema|dos? serviços?)|stan (?:systemu|usług)|stav (?:systému|služeb)|(?:статус|состояние) (?:системы|сервис|служб)|стан (?:системи|сервісів)|sistem durumu|hizmet durumu|driftstatus|status sistem|สถานะ(?:ระบบ|บริการ)|حالة (?:النظام|الخدمة|الخدمات)|وضعیت (?:سرویس|سیستم)|(?:सिस्टम|सेवा) (?:की )?स्थिति|システム(?:状況|ステータス|稼働状況)|稼働状況|障害情報|(?:系统|服务|系統|服務)(?:状态|狀態)|(?:시스템|서비스) ?(?:상태|현황)/u;
const DOCUMENTATION =
  /\bdocumentation$|^documentation\b|\bapi (?:reference|docs?)\b|\breference (?:manual|guide|documentation)\b|\b(?:user|developer|installation|administrator|admin)(?:'?s)? (?:guide|manual|handbook)\b|\bgetting started\b|\bquick ?start\b|\bdokumentation$|^dokumentation\b|(?:api-?referenz|benutzerhandbuch|erste schritte|installationsanleitung)|^documentación\b|\bdocumentación$|(?:referencia de (?:la )?api|guía (?:del? )?(?:usuario|desarrollador|instalación|inicio rápido)|primeros pasos)|référence (?:de l'|d')?api|guide (?:de l'utilisateur|d'installation|du développeur|de démarrage)|^documentação\b|\bdocumentação$|(?:referência (?:da )?api|guia (?:do (?:usuário|utilizador|desenvolvedor)|de instalação)|primeiros passos)|^documentazione\b|\bdocumentazione$|(?:riferimento api|guida (?:utente|dell'utente|all'installazione|introduttiva))|^documentatie\b|\bdocumentatie$|gebruikershandleiding|^dokumentacja\b|\bdokumentacja$|podręcznik użytkownika|^dokumentace\b|\bdokumentace$|uživatelská příručka|^документаци|документаци[яюи]$|(?:руководство (?:пользователя|разработчика|администратора|по установке)|справочник (?:по )?api|быстрый старт|начало работы)|^документаці|документація$|посібник користувача|τεκμηρίωση|οδηγός χρήσης|^dokümantasyon|dokümantasyonu?$|kullanım kılavuzu|(?:kullanıcı|geliştirici) kılavuzu|käyttöopas|användarhandbok|brukerhåndbok|^dokumentasi\b|\bdokumentasi$|panduan (?:pengguna|pengembang|instalasi)|^tài liệu\b|hướng dẫn (?:sử dụng|cài đặt)|คู่มือ(?:การใช้|ผู้ใช้|นักพัฒนา|การติดตั้ง)|เอกสาร(?:ประกอบ|อ้างอิง|$)|(?:الوثائق|التوثيق|توثيق|دليل (?:المستخدم|المطور|الاستخدام|التثبيت)|مرجع api)|(?:مستندات|راهنمای (?:کاربر|نصب|توسعه))|(?:תיעוד|מדריך למשתמש)|(?:दस्तावेज़|दस्तावेज|प्रलेखन|उपयोगकर्ता (?:गाइड|पुस्तिका|मार्गदर्शिका))|ドキュメント|(?:ユーザー|開発者|管理者|インストール)(?:ガイド|マニュアル)|api ?リファレンス|(?:使用|用户|用戶|开发者?|開發者?|安装|安裝|管理员?)(?:手册|手冊|指南|文档|文檔)|(?:api|开发|产品|技术)? ?(?:文档|文檔)$|快速(?:入门|开始)|(?:사용자|개발자|설치|관리자) ?(?:가이드|설명서|안내서|매뉴얼)|api ?(?:문서|레퍼런스)|문서$/u;
